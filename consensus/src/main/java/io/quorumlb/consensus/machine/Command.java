package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.consensus.pool.Evidence;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.SlotFunction;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a log entry asks of the replicated state. Ids in objects to create are 0: the state machine gives them. */
public sealed interface Command {
    /** A change of configured objects: alone, or a part of a batch. */
    sealed interface Edit extends Command {}

    /**
     * Many changes as one: all of them or none, and one more in the revision. Their order counts for names only: what must
     * fit together is looked at when all are made.
     *
     * @param parts at most {@value #PARTS_MAX}; a batch with more is refused
     */
    record Batch(List<Edit> parts) implements Command {
        /** Most parts of a batch. */
        public static final int PARTS_MAX = 20_000;

        /** Copies the list. */
        public Batch {
            parts = List.copyOf(parts);
        }
    }

    /** Adds a segment. */
    record CreateSegment(Segment segment) implements Edit {}

    /**
     * Changes which node answers for which address in a segment.
     *
     * @param segment by its name; its networks must be those it has, its id and its labels are ignored
     */
    record SetSegmentGateways(Segment segment) implements Edit {}

    /** Removes a segment without members. */
    record DeleteSegment(String name) implements Edit {}

    /** Adds a pool. */
    record CreatePool(Pool pool) implements Edit {}

    /** Removes a pool without members and listeners. */
    record DeletePool(String name) implements Edit {}

    /** Adds a member to a pool and a segment that exist; both ids of the member are ignored. */
    record CreateMember(String pool, String segment, Member member) implements Edit {}

    /** Removes a member. */
    record DeleteMember(String pool, String member) implements Edit {}

    /** Drains or enables a member. */
    record SetMemberAdmin(String pool, String member, AdminState admin) implements Edit {}

    /**
     * Lets a member take less than its weight, or all of it again, without another base of the table.
     *
     * @param pool name
     * @param member name
     * @param ceiling most effective weight, 0..its weight
     */
    record SetMemberCeiling(String pool, String member, int ceiling) implements Edit {}

    /**
     * Says where packets to a member go, whatever the network says.
     *
     * @param pool name
     * @param member name
     * @param mac its MAC address; empty to ask the network again
     */
    record SetMemberMac(String pool, String member, Optional<StaticMac> mac) implements Edit {}

    /**
     * Takes the retired members out of a pool's base; refused if that moves more slots than allowed.
     *
     * @param pool name
     * @param movedMax most slots that may move, 0..M
     */
    record CompactPool(String pool, int movedMax) implements Command {}

    /** Changes the weight of a member, 0..1000. */
    record SetMemberWeight(String pool, String member, int weight) implements Edit {}

    /** Adds a listener of a pool that exists; the pool id of the listener is ignored. */
    record CreateListener(String pool, Listener listener) implements Edit {}

    /**
     * Gives a listener that exists another definition. It keeps its id.
     *
     * @param pool name of the pool that serves it from now on
     * @param listener by its name; its id, the id of its pool and its labels are ignored
     */
    record SetListener(String pool, Listener listener) implements Edit {}

    /** Says what becomes of a listener's packets while its pool counts as empty. */
    record SetWhenEmpty(String listener, EmptyPolicy policy) implements Edit {}

    /** Removes a listener. */
    record DeleteListener(String name) implements Edit {}

    /** Adds a load balancer. */
    record CreateLoadBalancer(LoadBalancer loadBalancer) implements Edit {}

    /**
     * Changes a load balancer; its VIPs stay.
     *
     * @param name which
     * @param service whether its VIPs are announced from now on; empty if that stays
     * @param description its description from now on; empty if that stays
     */
    record SetLoadBalancer(String name, Optional<LoadBalancer.Service> service, Optional<String> description)
            implements Edit {}

    /** Removes a load balancer without listeners. */
    record DeleteLoadBalancer(String name) implements Edit {}

    /**
     * Gives an object other labels in place of those it has.
     *
     * @param kind what it is
     * @param name that tells it from others of its kind; of a member with its pool's: {@code web/be1}
     * @param labels all it has from now on
     */
    record SetLabels(ObjectKind kind, String name, Labels labels) implements Edit {}

    /**
     * Takes a node out of service or back in. It is no change of the configuration: its revision stays.
     *
     * @param node which
     * @param service where to
     * @param reason why, for people
     * @param staying nodes that go on serving, as the leader has seen them; taking a node out is refused if none of them,
     *     the node itself left out, is in service
     */
    record SetService(NodeId node, Service service, String reason, SortedSet<NodeId> staying) implements Command {
        /** Copies the set. */
        public SetService {
            staying = Collections.unmodifiableSortedSet(new TreeSet<>(staying));
        }
    }

    /**
     * Says who answers for gateway addresses. It is no change of the configuration: its revision stays.
     *
     * @param before the gateways away from home that it was planned from; refused if they have changed
     * @param moved the gateways away from home after it
     * @param reason why, for people
     */
    record AssignGateways(SortedMap<GatewayId, NodeId> before, SortedMap<GatewayId, NodeId> moved, String reason)
            implements Command {
        /** Copies the maps. */
        public AssignGateways {
            before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
            moved = Collections.unmodifiableSortedMap(new TreeMap<>(moved));
        }
    }

    /** Whether a node may be sent traffic. */
    enum Service {
        IN,
        OUT
    }

    /**
     * Makes the next generation of a pool.
     *
     * @param poolId pool
     * @param number the current number plus one; another number is refused
     * @param revision the configuration it was planned from; refused if that has changed
     * @param effectiveWeights by member id; a member not named has 0
     * @param expected digest of the table that follows
     * @param reason why, for people
     * @param cause why, for programs
     * @param footing what the effective weights stand on
     * @param evidence what the voters have found of the members that health changes, at most {@value Evidence#COUNT_MAX}
     */
    record CommitGeneration(
            int poolId,
            long number,
            long revision,
            SortedMap<Integer, Integer> effectiveWeights,
            Digest expected,
            String reason,
            GenerationCause cause,
            Footing footing,
            List<Evidence> evidence)
            implements Command {
        /** What the table is built over. */
        public enum Footing {
            /** The members as configured. */
            CONFIGURED,
            /** The members of the generation before: the configuration has a change that a guard holds. */
            PREVIOUS
        }

        /** Copies the collections and cuts the evidence. */
        public CommitGeneration {
            effectiveWeights = Collections.unmodifiableSortedMap(new TreeMap<>(effectiveWeights));
            evidence = List.copyOf(evidence.subList(0, Math.min(evidence.size(), Evidence.COUNT_MAX)));
        }

        /** Makes a command over the members as configured that says no cause. */
        public CommitGeneration(
                int poolId,
                long number,
                long revision,
                SortedMap<Integer, Integer> effectiveWeights,
                Digest expected,
                String reason) {
            this(
                    poolId,
                    number,
                    revision,
                    effectiveWeights,
                    expected,
                    reason,
                    GenerationCause.UNKNOWN,
                    Footing.CONFIGURED,
                    List.of());
        }

        /** Returns this command with what the voters have found. */
        public CommitGeneration withEvidence(List<Evidence> found) {
            return new CommitGeneration(
                    poolId, number, revision, effectiveWeights, expected, reason, cause, footing, found);
        }
    }

    /**
     * Chooses the hash that TCP connections get their slots by, for the whole cluster. It is no change of any pool's
     * configuration: its revision stays.
     */
    record SetSlotFunction(SlotFunction function) implements Command {}

    /**
     * Says how many members must take traffic until a pool that counted as empty no longer does.
     *
     * @param pool name
     * @param minEligible 1..{@value Pool#MIN_ELIGIBLE_MAX}
     */
    record SetMinEligible(String pool, int minEligible) implements Edit {}

    /** Changes how the members of a pool are probed. */
    record SetPoolMonitor(String pool, HealthMonitor monitor) implements Edit {}

    /**
     * A write that says who it is.
     *
     * @param origin tells it from all others
     * @param command what it asks for; not such a write itself
     */
    record Requested(Origin origin, Command command) implements Command {
        /** Checks that nothing is wrapped twice. */
        public Requested {
            if (command instanceof Requested) {
                throw new IllegalArgumentException("a write has one origin");
            }
        }

        /** Returns the same, proposed at another time. */
        public Requested stamped(long millis) {
            return new Requested(origin.stamped(millis), command);
        }
    }

    /** Changes how a pool's table is guarded. */
    record SetPoolGuards(String pool, PoolGuards guards) implements Edit {}

    /**
     * Lets the next generation of a pool pass guards.
     *
     * @param pool name
     * @param override which guards, and the pool's present generation; refused if that has changed
     */
    record OverrideGuards(String pool, GuardOverride override) implements Command {}

    /**
     * Takes a member for up or down for a time, whatever the nodes see.
     *
     * @param pool name
     * @param member name
     * @param health what it is taken for
     * @param durationMillis how long by the log's time, within the limits of {@link MemberTimers.Hold}
     * @param reason why, for people
     */
    record HoldMember(String pool, String member, Health health, long durationMillis, String reason)
            implements Command {}

    /** Ends a hold. */
    record ReleaseMember(String pool, String member) implements Command {}

    /**
     * Drains a member, and says what ends that.
     *
     * @param pool name
     * @param member name
     * @param deleteAfterMillis after how long by the log's time it is deleted; empty if it is not
     */
    record DrainMember(String pool, String member, OptionalLong deleteAfterMillis) implements Command {}

    /**
     * Enables a member, which then takes more and more of its weight.
     *
     * @param pool name
     * @param member name
     * @param lengthMillis after how long by the log's time it takes all of it
     * @param steps in how many steps, 1..{@value MemberTimers.Ramp#STEPS_MAX}
     */
    record RampMember(String pool, String member, long lengthMillis, int steps) implements Command {}

    /**
     * Gives an enabled member a larger weight, of which it then takes more and more, beginning with what it may take now.
     *
     * @param pool name
     * @param member name
     * @param weight larger than its ceiling
     * @param lengthMillis after how long by the log's time it takes all of it
     * @param steps in how many steps, 1..{@value MemberTimers.Ramp#STEPS_MAX}
     */
    record RampWeight(String pool, String member, int weight, long lengthMillis, int steps) implements Command {}

    /**
     * Says that the log's time has come so far. What was to become of members by then becomes of them.
     *
     * @param millis since 1970; an earlier time than the log's changes nothing
     */
    record PassTime(long millis) implements Command {
        /** Returns the same, or a later time. */
        public PassTime atLeast(long other) {
            return new PassTime(Math.max(millis, other));
        }
    }
}
