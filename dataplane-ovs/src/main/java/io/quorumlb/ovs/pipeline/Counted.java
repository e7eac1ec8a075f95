package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What packets of a row of the pipeline are counted as. A function of the row alone, whoever put it there. */
public sealed interface Counted extends Comparable<Counted> {
    /** Packets that a listener took. */
    record Received(int listenerId) implements Counted {
        private static final Comparator<Received> ORDER = Comparator.comparingInt(Received::listenerId);
    }

    /** Packets that went on to a member; dropped yet where its MAC address is unknown or their time to live is over. */
    record Forwarded(int listenerId, int memberId) implements Counted {
        private static final Comparator<Forwarded> ORDER =
                Comparator.comparingInt(Forwarded::listenerId).thenComparingInt(Forwarded::memberId);
    }

    /** Replies that went back to clients, whichever member they are of. */
    record Answered(Reply reply) implements Counted {
        private static final Comparator<Answered> ORDER = Comparator.comparing(Answered::reply);
    }

    /** Replies of a member. */
    record Returned(int memberId, Reply reply) implements Counted {
        private static final Comparator<Returned> ORDER =
                Comparator.comparingInt(Returned::memberId).thenComparing(Returned::reply);
    }

    /** Echo requests to VIPs and gateways that the switch answered. */
    record Echoed() implements Counted {}

    /**
     * Packets that were dropped.
     *
     * @param cause why
     * @param table number of the table that dropped them
     * @param poolId their pool, 0 if the row is not for one
     * @param memberId their member, 0 if the row is not for one
     */
    record Dropped(DropCause cause, int table, int poolId, int memberId) implements Counted {
        private static final Comparator<Dropped> ORDER = Comparator.comparing(Dropped::cause)
                .thenComparingInt(Dropped::table)
                .thenComparingInt(Dropped::poolId)
                .thenComparingInt(Dropped::memberId);
    }

    /**
     * What a reply seems to come from. Its row does not know the listener, only what the client sees.
     *
     * @param poolId the member's pool
     * @param vip the source that it is given
     * @param protocol 6 is TCP, 17 is UDP, 0 any
     * @param port port at the VIP, the first one of a block of a range; 0 is any
     */
    record Reply(int poolId, IpAddress vip, int protocol, int port) implements Comparable<Reply> {
        private static final Comparator<Reply> ORDER = Comparator.comparingInt(Reply::poolId)
                .thenComparing(Reply::vip)
                .thenComparingInt(Reply::protocol)
                .thenComparingInt(Reply::port);

        @Override
        public int compareTo(Reply other) {
            return ORDER.compare(this, other);
        }
    }

    /** Returns all that a row counts; empty if nobody asks. */
    static List<Counted> of(Flow row) {
        long cookie = row.cookie();
        int table = row.key().table();
        if (table == PipelineTable.LISTENER.id() && Cookie.isKind(cookie, Cookie.Kind.LISTENER)) {
            return List.of(new Received(Cookie.object(cookie)));
        }
        if (Cookie.isKind(cookie, Cookie.Kind.MEMBER)) {
            return row.key()
                    .match()
                    .term(Field.REG3)
                    .map(listener -> List.<Counted>of(new Forwarded((int) listener.value(), Cookie.object(cookie))))
                    .orElse(List.of());
        }
        if (Cookie.isKind(cookie, Cookie.Kind.UN_DNAT)) {
            return reply(row)
                    .map(reply -> List.<Counted>of(new Answered(reply), new Returned(Cookie.object(cookie), reply)))
                    .orElse(List.of());
        }
        if (table == PipelineTable.ECHO.id() && Cookie.isKind(cookie, Cookie.Kind.ECHO)) {
            return List.of(new Echoed());
        }
        return DropCause.of(cookie).map(cause -> List.of(dropped(cause, row))).orElse(List.of());
    }

    private static Counted dropped(DropCause cause, Flow row) {
        int member = cause == DropCause.NO_MAC ? Cookie.object(row.cookie()) : 0;
        return new Dropped(cause, row.key().table(), Cookie.pool(row.cookie()), member);
    }

    private static Optional<Reply> reply(Flow row) {
        Optional<IpAddress> vip = Optional.empty();
        Match match = row.key().match();
        int protocol =
                match.term(Field.IP_PROTO).map(term -> (int) term.value()).orElse(0);
        int port = match.term(Field.TCP_SRC)
                .or(() -> match.term(Field.UDP_SRC))
                .map(term -> (int) term.value())
                .orElse(0);
        for (Action action : actions(row)) {
            if (action instanceof Action.SetField set) {
                if (set.field() == Field.IPV4_SRC) {
                    vip = Optional.of(new Ipv4Address((int) set.value()));
                } else if (set.field() == Field.IPV6_SRC) {
                    vip = Optional.of(new Ipv6Address(set.high(), set.value()));
                } else if (set.field() == Field.TCP_SRC || set.field() == Field.UDP_SRC) {
                    port = (int) set.value();
                }
            }
        }
        int from = port;
        return vip.map(address -> new Reply(Cookie.pool(row.cookie()), address, protocol, from));
    }

    private static List<Action> actions(Flow row) {
        for (Instruction instruction : row.instructions()) {
            if (instruction instanceof Instruction.ApplyActions(List<Action> actions)) {
                return actions;
            }
        }
        return List.of();
    }

    private static int rank(Counted counted) {
        return switch (counted) {
            case Received _ -> 0;
            case Forwarded _ -> 1;
            case Answered _ -> 2;
            case Returned _ -> 3;
            case Echoed _ -> 4;
            case Dropped _ -> 5;
        };
    }

    /** Any fixed order; the words of one kind stand together. */
    @Override
    default int compareTo(Counted other) {
        int order = Integer.compare(rank(this), rank(other));
        if (order != 0) {
            return order;
        }
        return switch (this) {
            case Received one -> Received.ORDER.compare(one, (Received) other);
            case Forwarded one -> Forwarded.ORDER.compare(one, (Forwarded) other);
            case Answered one -> Answered.ORDER.compare(one, (Answered) other);
            case Returned one -> Returned.ORDER.compare(one, (Returned) other);
            case Echoed _ -> 0;
            case Dropped one -> Dropped.ORDER.compare(one, (Dropped) other);
        };
    }
}
