package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.pipeline.Cookie;

/** A switch, model or real, with what others can do to it. Its ports are br0 and p1 to p6, by number. */
interface SwitchBench extends AutoCloseable {
    CookieOwner OURS = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);

    /** Opens a datapath to the switch; the caller closes it. */
    Datapath open();

    /** Removes all flows. */
    void empty();

    /** Adds or replaces a flow as somebody else. */
    void put(Flow flow);

    /** Changes the instructions of a flow as somebody else. */
    void alter(Flow flow);

    /** Removes a flow as somebody else, whoever owns it. */
    void remove(FlowKey key);

    /** Lets a table hold no more flows than this. */
    void limit(int table, int mostFlows);

    /** Undoes the limits. */
    void unlimited();

    /** Ends the switch. */
    void stop();

    /** Starts the switch again. */
    void start();

    /** Returns what would become of a packet. */
    Verdict trace(Packet packet) throws Exception;

    /** Sends a packet into the switch. */
    void send(Packet packet) throws Exception;

    /** Returns the number of packets that have left by a port. */
    long sentOut(int port);

    @Override
    void close();
}
