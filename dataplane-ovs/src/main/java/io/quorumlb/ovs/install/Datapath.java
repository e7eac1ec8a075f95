package io.quorumlb.ovs.install;

import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import java.util.SortedSet;

/**
 * The switch a node forwards with. Calls block and have a deadline; make them from virtual threads. One call works
 * at a time, others wait. A call after a failure starts on a fresh connection; memory of the switch is void then.
 */
public interface Datapath extends AutoCloseable {
    /**
     * Returns all flows and ports as the switch holds them now.
     *
     * @throws DatapathException if the switch cannot be read in full
     */
    SwitchSnapshot readBack() throws DatapathException;

    /**
     * Returns the flows of some pools as the switch holds them now, with all ports and groups; foreign flows are left out. It
     * costs what these pools' flows cost.
     *
     * @param pools pool ids
     * @throws DatapathException if the switch cannot be read, also because the connection is another than that of the last
     *     {@link #readBack()}: what is known of the other pools is void then
     */
    SwitchSnapshot readBack(SortedSet<Integer> pools) throws DatapathException;

    /**
     * Makes the changes, all or none, and returns when the switch forwards by them: the bundle is committed, the
     * barrier answered and cached forwarding decisions are revalidated. An empty delta does nothing.
     *
     * @throws DatapathException if the change was refused, or it is not known whether it was made
     */
    void install(FlowDelta delta) throws DatapathException;

    /**
     * Returns what the switch's hashes give for the corpus. The switch must hold the fingerprint's group and flows. Waits for
     * no other call and keeps none waiting.
     *
     * @param source Ethernet source of the frames
     * @param destination Ethernet destination of the frames
     * @throws DatapathException if the switch could not be asked; a datapath without a usable hash is no failure
     */
    Fingerprint fingerprint(MacAddress source, MacAddress destination) throws DatapathException;

    /**
     * Sends a frame out of a port as it is, past all tables. What the port makes of it is not known: a port that is not
     * there drops it.
     *
     * @param port OpenFlow number of the port
     * @param frame Ethernet frame without its check sequence
     * @throws DatapathException if the switch refused it or did not answer
     */
    void packetOut(int port, byte[] frame) throws DatapathException;

    /** Returns whether there is a connection that answered lately. */
    boolean connected();

    /**
     * Returns the number of flow-mods sent to make changes since the start; a restart that changes nothing leaves it
     * at zero.
     */
    long flowModsSent();

    /** Ends the connection; later calls fail. The flows stay. */
    @Override
    void close();
}
