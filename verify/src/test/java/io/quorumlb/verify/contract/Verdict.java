package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.FlowKey;
import java.util.List;

/** What a switch does with one packet. */
public sealed interface Verdict {
    /** Returns the flows the packet met, in order. */
    List<FlowKey> path();

    /**
     * It leaves.
     *
     * @param departures in order, at least one
     * @param path flows it met
     */
    record Sent(List<Departure> departures, List<FlowKey> path) implements Verdict {
        /** Copies the lists. */
        public Sent {
            departures = List.copyOf(departures);
            path = List.copyOf(path);
        }

        /** Returns the first departure. */
        public Departure first() {
            return departures.getFirst();
        }
    }

    /**
     * It does not leave.
     *
     * @param table where it ended
     * @param cause why
     * @param path flows it met
     */
    record Dropped(int table, Cause cause, List<FlowKey> path) implements Verdict {
        /** Copies the list. */
        public Dropped {
            path = List.copyOf(path);
        }
    }

    /**
     * A packet on its way out.
     *
     * @param port OpenFlow port it leaves by
     * @param packet with its headers as they are then
     */
    record Departure(int port, Packet packet) {}

    /** Why a packet is not sent. */
    enum Cause {
        /** The switch does not run. */
        NO_SWITCH,
        /** No flow of the table matches. */
        NO_FLOW,
        /** The last flow it met says no more. */
        FLOW,
        /** Its time to live is over. */
        TIME_TO_LIVE,
        /** The port to leave by is not there, or is the one it came in by. */
        PORT
    }
}
