package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.wire.EmptyPolicyCodec;
import io.quorumlb.consensus.wire.GuardCodec;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.consensus.wire.MonitorCodec;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.access.AskedCall;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.DeleteListenerRequest;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.EmptyPolicy;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.OverrideGuardsRequest;
import io.quorumlb.proto.v1.SetHealthMonitorRequest;
import io.quorumlb.proto.v1.SetLabelsRequest;
import io.quorumlb.proto.v1.SetListenerWhenEmptyRequest;
import io.quorumlb.proto.v1.SetMemberCeilingRequest;
import io.quorumlb.proto.v1.SetMemberMacRequest;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import io.quorumlb.proto.v1.SetPoolMinEligibleRequest;
import io.quorumlb.proto.v1.SetSlotFunctionRequest;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Turns write requests into commands. A request that is wrong by itself is refused with INVALID_ARGUMENT before anything
 * is proposed; whether what it names exists is for the replicated state to say.
 */
final class Commands {
    /** Recipe of a new pool whose creator does not ask for one. */
    static final HashAlgoVersion ALGORITHM_DEFAULT = HashAlgoVersion.V2;

    /** Weight of a new member whose creator does not say one. */
    static final int WEIGHT_DEFAULT = 100;

    /** Without a limit of its own a compaction may move one slot in so many. */
    private static final int MOVED_PART = 4;

    private Commands() {}

    static Command of(CreateSegmentRequest request) {
        present("segment", request.hasSegment());
        var message = request.getSegment().toBuilder().clearId().clearRevision().build();
        return new Command.CreateSegment(valid("segment", () -> ModelCodec.fromWire(message)));
    }

    static Command of(DeleteSegmentRequest request) {
        return new Command.DeleteSegment(named("name", request.getName()));
    }

    static Command of(CreatePoolRequest request) {
        present("pool", request.hasPool());
        var message = request.getPool().toBuilder().clearId().clearRevision().clearOverride();
        if (message.getAlgorithm() == HashAlgorithm.HASH_ALGORITHM_UNSPECIFIED) {
            message.setAlgorithm(ModelCodec.toWire(ALGORITHM_DEFAULT));
        }
        return new Command.CreatePool(valid("pool", () -> ModelCodec.fromWire(message.build())));
    }

    static Command of(DeletePoolRequest request) {
        return new Command.DeletePool(named("name", request.getName()));
    }

    static Command of(CreateMemberRequest request) {
        present("member", request.hasMember());
        var message = request.getMember().toBuilder().clearId().clearRevision().clearCeiling();
        if (!message.hasWeight()) {
            message.setWeight(WEIGHT_DEFAULT);
        }
        if (message.getAdmin() == io.quorumlb.proto.v1.AdminState.ADMIN_STATE_RETIRED) {
            throw Refusals.invalid(
                    "member.admin", "member.admin: enabled or drained expected, a member retires when it is deleted");
        }
        return new Command.CreateMember(
                named("member.pool", message.getPool()),
                named("member.segment", message.getSegment()),
                valid("member", () -> ModelCodec.fromWire(message.build())));
    }

    static Command of(DeleteMemberRequest request) {
        return new Command.DeleteMember(named("pool", request.getPool()), named("member", request.getMember()));
    }

    static Command of(SetMemberCeilingRequest request) {
        long ceiling = Integer.toUnsignedLong(request.getCeiling());
        if (ceiling > TableMember.WEIGHT_MAX) {
            throw Refusals.outside("ceiling", Long.toString(ceiling), "0.." + TableMember.WEIGHT_MAX);
        }
        return new Command.SetMemberCeiling(
                named("pool", request.getPool()), named("member", request.getMember()), request.getCeiling());
    }

    static Command of(SetMemberMacRequest request) {
        return new Command.SetMemberMac(
                named("pool", request.getPool()),
                named("member", request.getMember()),
                valid("mac", () -> ModelCodec.staticMac("mac", request.getMac())));
    }

    /**
     * Returns the command to compact a pool.
     *
     * @param slots number of slots of the pool: without a limit of its own the request may move a quarter of them
     */
    static Command of(CompactPoolRequest request, int slots) {
        long movedMax = Integer.toUnsignedLong(request.getMovedMax());
        if (movedMax > slots) {
            throw Refusals.outside("moved_max", Long.toString(movedMax), "0.." + slots);
        }
        return new Command.CompactPool(
                named("pool", request.getPool()), movedMax == 0 ? slots / MOVED_PART : (int) movedMax);
    }

    /**
     * Returns the command to change a pool's guards.
     *
     * @param before the present ones
     */
    static Command.SetPoolGuards of(SetPoolGuardsRequest request, PoolGuards before) {
        return new Command.SetPoolGuards(
                named("pool", request.getPool()),
                valid("guards", () -> GuardCodec.fromWire(request.getGuards(), before)));
    }

    /**
     * Returns the command to let a pool's next generation pass guards.
     *
     * @param generation number of the present one
     */
    static Command.OverrideGuards of(OverrideGuardsRequest request, long generation) {
        SortedSet<Guard> named = valid("guards", () -> GuardCodec.guards("guards", request.getGuardsList()));
        SortedSet<Guard> guards = named.isEmpty() ? new TreeSet<>(List.of(Guard.values())) : named;
        long base = request.getBaseGeneration() == 0 ? generation : request.getBaseGeneration();
        return new Command.OverrideGuards(
                named("pool", request.getPool()), valid("base_generation", () -> new GuardOverride(guards, base)));
    }

    /**
     * Returns the command to create a listener.
     *
     * @param state of the answering node: the replicated state knows no addresses of nodes outside segments
     */
    static Command of(CreateListenerRequest request, NodeState state) {
        present("listener", request.hasListener());
        var message = LoadBalancerCalls.placed(
                "listener",
                request.getListener().toBuilder().clearId().clearRevision().build(),
                LoadBalancerCalls.vips(state.cluster().model()));
        Listener listener = valid("listener", () -> ModelCodec.fromWire(message));
        if (state.uses(listener.vip())) {
            throw Refusals.invalid(
                    "listener.vip",
                    "VIP %s is the address of a node or router: one that nobody has expected"
                            .formatted(listener.vip()));
        }
        return new Command.CreateListener(named("listener.pool", message.getPool()), listener);
    }

    static Command.SetSlotFunction of(SetSlotFunctionRequest request) {
        if (request.getSlotFunction() == io.quorumlb.proto.v1.SlotFunction.SLOT_FUNCTION_UNSPECIFIED) {
            throw Refusals.invalid("slot_function", "slot_function must be given");
        }
        return new Command.SetSlotFunction(
                valid("slot_function", () -> ModelCodec.fromWire("slot_function", request.getSlotFunction())));
    }

    static Command of(SetListenerWhenEmptyRequest request) {
        if (request.getWhenEmpty() == EmptyPolicy.EMPTY_POLICY_UNSPECIFIED) {
            throw Refusals.invalid("when_empty", "when_empty must be given");
        }
        return new Command.SetWhenEmpty(
                named("listener", request.getListener()),
                valid(
                        "when_empty",
                        () -> EmptyPolicyCodec.fromWire(request.getWhenEmpty(), request.getFallbackPool())));
    }

    static Command of(SetPoolMinEligibleRequest request) {
        long members = Integer.toUnsignedLong(request.getMinEligible());
        if (members < 1 || members > Pool.MIN_ELIGIBLE_MAX) {
            throw Refusals.outside("min_eligible", Long.toString(members), "1.." + Pool.MIN_ELIGIBLE_MAX);
        }
        return new Command.SetMinEligible(named("pool", request.getPool()), request.getMinEligible());
    }

    static Command of(SetHealthMonitorRequest request) {
        if (!request.hasMonitor()) {
            throw Refusals.invalid("monitor", "monitor is not set: all of the pool's health monitor expected");
        }
        return new Command.SetPoolMonitor(
                named("pool", request.getPool()), valid("monitor", () -> MonitorCodec.fromWire(request.getMonitor())));
    }

    static Command of(SetLabelsRequest request) {
        return new Command.SetLabels(
                valid("kind", () -> ModelCodec.fromWire("kind", request.getKind())),
                named("name", request.getName()),
                valid("labels", () -> ModelCodec.labels("labels", request.getLabelsMap())));
    }

    static Command of(DeleteListenerRequest request) {
        return new Command.DeleteListener(named("name", request.getName()));
    }

    /**
     * Returns what a write says of itself, and who asks for it; one that gives itself no id gets one.
     *
     * @param content digest of what it asks for
     */
    static Origin origin(WriteOptions options, String content) {
        RequestId request = options.getRequestId().isEmpty()
                ? new RequestId(UUID.randomUUID().toString())
                : valid("options.request_id", () -> new RequestId(options.getRequestId()));
        if (options.getExpectedRevision() < 0) {
            throw Refusals.outside(
                    "options.expected_revision",
                    Long.toUnsignedString(options.getExpectedRevision()),
                    "0.." + Long.MAX_VALUE);
        }
        if (options.getExpectedObjectRevision() < 0) {
            throw Refusals.outside(
                    "options.expected_object_revision",
                    Long.toUnsignedString(options.getExpectedObjectRevision()),
                    "0.." + Long.MAX_VALUE);
        }
        OptionalLong expected =
                options.hasExpectedRevision() ? OptionalLong.of(options.getExpectedRevision()) : OptionalLong.empty();
        OptionalLong ofObject = options.hasExpectedObjectRevision()
                ? OptionalLong.of(options.getExpectedObjectRevision())
                : OptionalLong.empty();
        return new Origin(request, content, 0, expected, ofObject, AskedCall.author());
    }

    /** Returns the name that a request gives. */
    static String named(String field, String name) {
        if (name.isEmpty()) {
            throw Refusals.invalid(field, "%s is empty: the name of an object expected".formatted(field));
        }
        return name;
    }

    private static void present(String field, boolean present) {
        if (!present) {
            throw Refusals.invalid(field, "%s is not set: the object to create expected".formatted(field));
        }
    }

    /**
     * Returns what a conversion makes of a request.
     *
     * @param field at fault if the conversion does not say
     * @throws io.grpc.StatusRuntimeException with INVALID_ARGUMENT if it fails
     */
    static <T> T valid(String field, Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            throw Refusals.invalid(precise(field, message), message);
        }
    }

    /** Codecs begin their complaints with the path of the field; complaints of the model are about the object. */
    static String precise(String field, String message) {
        String first = message.split("[ :]", 2)[0];
        return first.matches("[a-z_]+(\\.[a-z_]+)+") ? first : field;
    }
}
