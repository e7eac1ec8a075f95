package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Requests whose answers are awaited together, and what has come of them. Fed by the connection's one thread. */
sealed interface Exchange {
    /** Returns whether an answer with this transaction id belongs here. */
    boolean owns(int xid);

    /**
     * Takes an answer.
     *
     * @throws MalformedMessageException if the answer is not one to these requests
     */
    void receive(Message message);

    /** Ends the exchange because the connection is of no use any more. */
    void fail(OpenFlowException cause);

    private static MalformedMessageException unexpected(Message message) {
        return new MalformedMessageException(
                "not an answer to the request of transaction " + Integer.toUnsignedString(message.xid()) + ": "
                        + message.getClass().getSimpleName());
    }

    private static OpenFlowException refused(String what, Message.Failure failure) {
        return new OpenFlowException(
                OpenFlowException.Kind.REFUSED, "the switch refused " + what + ": " + ErrorNames.of(failure));
    }

    /** Reads all ports (first transaction), flows (one for each choice of them) and all groups (last). */
    final class Read implements Exchange {
        private static final int FLOWS_MAX = 1 << 20;
        private static final int GROUPS_MAX = 1 << 17;
        private static final int PORTS_MAX = 1 << 16;
        /** Of 64 KiB at most each; a full list of the shortest flows that are ours takes a third of them. */
        private static final int PARTS_MAX = 1 << 13;

        private final int firstXid;
        private final List<PortDescription> ports = new ArrayList<>();
        private final List<FlowDescription> flows = new ArrayList<>();
        private final List<Group> groups = new ArrayList<>();
        private final CompletableFuture<SwitchDescription> answer = new CompletableFuture<>();
        private boolean portsComplete;
        private final int choices;
        private int choicesComplete;
        private volatile int parts;

        /**
         * Waits for the answers.
         *
         * @param firstXid of the ports
         * @param choices number of choices of flows that are asked for
         */
        Read(int firstXid, int choices) {
            this.firstXid = firstXid;
            this.choices = choices;
        }

        /** Returns how many transactions it takes. */
        static int xids(int choices) {
            return choices + 2;
        }

        int flowsXid(int choice) {
            return firstXid + 1 + choice;
        }

        int groupsXid() {
            return firstXid + 1 + choices;
        }

        CompletableFuture<SwitchDescription> answer() {
            return answer;
        }

        /** Returns how many parts of the answer have come. */
        int parts() {
            return parts;
        }

        @Override
        public boolean owns(int xid) {
            return Integer.compareUnsigned(xid - firstXid, xids(choices)) < 0;
        }

        @Override
        public void receive(Message message) {
            int count = parts + 1;
            // Written by the connection's thread only, and read by the one who waits.
            parts = count;
            if (count > PARTS_MAX) {
                throw new MalformedMessageException("the switch lists in more than " + PARTS_MAX + " parts");
            }
            switch (message) {
                case Message.Ports(int xid, var part, boolean more)
                when xid == firstXid && !portsComplete -> {
                    ports.addAll(part);
                    if (ports.size() > PORTS_MAX) {
                        throw new MalformedMessageException("the switch lists more than " + PORTS_MAX + " ports");
                    }
                    portsComplete = !more;
                }
                case Message.Flows(int xid, var part, boolean more)
                when portsComplete && choicesComplete < choices && xid == flowsXid(choicesComplete) -> {
                    flows.addAll(part);
                    if (flows.size() > FLOWS_MAX) {
                        throw new MalformedMessageException("the switch lists more than " + FLOWS_MAX + " flows");
                    }
                    choicesComplete += more ? 0 : 1;
                }
                case Message.Groups(int xid, var part, boolean more)
                when choicesComplete == choices && xid == groupsXid() -> {
                    groups.addAll(part);
                    if (groups.size() > GROUPS_MAX) {
                        throw new MalformedMessageException("the switch lists more than " + GROUPS_MAX + " groups");
                    }
                    if (!more) {
                        answer.complete(new SwitchDescription(
                                Collections.unmodifiableList(ports),
                                Collections.unmodifiableList(flows),
                                Collections.unmodifiableList(groups)));
                    }
                }
                case Message.Failure failure -> answer.completeExceptionally(refused(listOf(failure), failure));
                default -> throw unexpected(message);
            }
        }

        private String listOf(Message.Failure failure) {
            if (failure.xid() == firstXid) {
                return "the list of ports";
            }
            return failure.xid() == groupsXid() ? "the list of groups" : "the list of flows";
        }

        @Override
        public void fail(OpenFlowException cause) {
            answer.completeExceptionally(cause);
        }
    }

    /** Requests that are answered only if they are refused, and the barrier that ends them, which is the last transaction. */
    final class UntilBarrier implements Exchange {
        private final int firstXid;
        private final int requests;
        private final String what;
        private final IntPredicate dispensable;
        private final CompletableFuture<Boolean> settled = new CompletableFuture<>();
        private @Nullable OpenFlowException dispensed;

        /**
         * Describes the requests.
         *
         * @param firstXid transaction of the first one
         * @param requests how many there are before the barrier
         * @param what what they are about, for people
         * @param dispensable tells of which ones, from 0, a refusal is none as long as no other is refused
         */
        UntilBarrier(int firstXid, int requests, String what, IntPredicate dispensable) {
            this.firstXid = firstXid;
            this.requests = requests;
            this.what = what;
            this.dispensable = dispensable;
        }

        /** Describes requests none of which may be refused. */
        UntilBarrier(int firstXid, int requests, String what) {
            this(firstXid, requests, what, _ -> false);
        }

        static int xids(int requests) {
            return requests + 1;
        }

        int barrierXid() {
            return firstXid + requests;
        }

        /** Completes when the barrier is answered; fails on a refusal. */
        CompletableFuture<Boolean> settled() {
            return settled;
        }

        @Override
        public boolean owns(int xid) {
            return Integer.compareUnsigned(xid - firstXid, xids(requests)) < 0;
        }

        @Override
        public void receive(Message message) {
            switch (message) {
                case Message.BarrierReply(int xid) when xid == barrierXid() -> settled.complete(true);
                case Message.Failure failure
                when dispensable.test(failure.xid() - firstXid) -> dispensed = refused(what, failure);
                case Message.Failure failure -> {
                    // The first refusal says why the other one followed.
                    OpenFlowException first = dispensed;
                    settled.completeExceptionally(first == null ? refused(what, failure) : first);
                }
                default -> throw unexpected(message);
            }
        }

        @Override
        public void fail(OpenFlowException cause) {
            settled.completeExceptionally(cause);
        }
    }

    /**
     * Fills and commits a bundle. Its transactions are, in this order: open, one per flow-mod, close, commit, discard,
     * barrier.
     */
    final class Bundle implements Exchange {
        private final int firstXid;
        private final int bundle;
        private final int mods;
        private final IntFunction<String> modName;
        private final CompletableFuture<Boolean> filled = new CompletableFuture<>();
        private final CompletableFuture<Boolean> settled = new CompletableFuture<>();
        private volatile @Nullable OpenFlowException refusal;
        private boolean committed;

        /**
         * Describes a bundle.
         *
         * @param firstXid transaction of the open request
         * @param bundle number of the bundle
         * @param mods number of flow-mods
         * @param modName says for people what the flow-mod of an index does
         */
        Bundle(int firstXid, int bundle, int mods, IntFunction<String> modName) {
            this.firstXid = firstXid;
            this.bundle = bundle;
            this.mods = mods;
            this.modName = modName;
        }

        static int xids(int mods) {
            return mods + 5;
        }

        int modXid(int index) {
            return firstXid + 1 + index;
        }

        int closeXid() {
            return firstXid + mods + 1;
        }

        int commitXid() {
            return firstXid + mods + 2;
        }

        int discardXid() {
            return firstXid + mods + 3;
        }

        int barrierXid() {
            return firstXid + mods + 4;
        }

        /** Completes with true when the switch has accepted all flow-mods; fails on the first refusal. */
        CompletableFuture<Boolean> filled() {
            return filled;
        }

        /** Completes when the barrier is answered: with whether the bundle was committed. */
        CompletableFuture<Boolean> settled() {
            return settled;
        }

        /** Returns the first refusal, null if there was none. */
        @Nullable
        OpenFlowException refusal() {
            return refusal;
        }

        @Override
        public boolean owns(int xid) {
            return Integer.compareUnsigned(xid - firstXid, xids(mods)) < 0;
        }

        @Override
        public void receive(Message message) {
            switch (message) {
                case Message.BundleControl(int xid, int id, BundleStep step)
                when id == bundle -> step(xid, step, message);
                case Message.BarrierReply(int xid) when xid == barrierXid() -> settled.complete(committed);
                case Message.Failure failure -> refuse(failure);
                default -> throw unexpected(message);
            }
        }

        private void step(int xid, BundleStep step, Message message) {
            if (step == BundleStep.CLOSE_REPLY && xid == closeXid()) {
                filled.complete(true);
            } else if (step == BundleStep.COMMIT_REPLY && xid == commitXid()) {
                committed = true;
            } else if (!(step == BundleStep.OPEN_REPLY && xid == firstXid)
                    && !(step == BundleStep.DISCARD_REPLY && xid == discardXid())) {
                throw unexpected(message);
            }
        }

        private void refuse(Message.Failure failure) {
            // The first refusal is the cause; those after it, such as that of the commit, only follow from it.
            if (refusal == null) {
                int index = failure.xid() - firstXid - 1;
                String what = index >= 0 && index < mods ? modName.apply(index) : "the bundle";
                OpenFlowException first = refused(what, failure);
                refusal = first;
                filled.completeExceptionally(first);
            }
        }

        @Override
        public void fail(OpenFlowException cause) {
            filled.completeExceptionally(cause);
            settled.completeExceptionally(cause);
        }
    }

    /** Gives packets to the switch and waits until they come back; a register says which is which. */
    final class Packets implements Exchange {
        /** Where the number of a packet is, from 1. */
        static final Field NUMBER = Field.REG2;

        private final int firstXid;
        private final int table;
        private final @Nullable Match[] returned;
        private int arrivedCount;
        private int awaited;
        private CompletableFuture<Boolean> arrived = new CompletableFuture<>();

        Packets(int firstXid, int count, int table) {
            this.firstXid = firstXid;
            this.table = table;
            this.returned = new Match[count];
        }

        int firstXid() {
            return firstXid;
        }

        /** Completes when the packets up to a number, exclusive, have come back. */
        synchronized CompletableFuture<Boolean> after(int end) {
            awaited = end;
            complete();
            return arrived;
        }

        private void complete() {
            if (arrivedCount == awaited) {
                arrived.complete(true);
            } else if (arrived.isDone() && !arrived.isCompletedExceptionally()) {
                arrived = new CompletableFuture<>();
            }
        }

        synchronized List<Match> fields() {
            return Arrays.stream(returned).flatMap(Stream::ofNullable).toList();
        }

        /** Takes a packet; one from elsewhere, or one that came back before, is nothing to this exchange. */
        synchronized void returned(Message.PacketIn packet) {
            int index = packet.fields()
                    .term(NUMBER)
                    .map(term -> (int) term.value() - 1)
                    .orElse(-1);
            if (packet.table() == table && index >= 0 && index < returned.length && returned[index] == null) {
                returned[index] = packet.fields();
                arrivedCount++;
                if (arrivedCount == awaited) {
                    arrived.complete(true);
                }
            }
        }

        @Override
        public boolean owns(int xid) {
            return Integer.compareUnsigned(xid - firstXid, returned.length + 1) < 0;
        }

        @Override
        public void receive(Message message) {
            if (!(message instanceof Message.Failure failure)) {
                throw unexpected(message);
            }
            fail(refused("a packet", failure));
        }

        @Override
        public synchronized void fail(OpenFlowException cause) {
            arrived.completeExceptionally(cause);
        }
    }
}
