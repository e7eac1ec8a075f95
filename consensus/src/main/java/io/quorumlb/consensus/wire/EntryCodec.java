package io.quorumlb.consensus.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.proto.v1.AssignGateways;
import io.quorumlb.proto.v1.Batch;
import io.quorumlb.proto.v1.CommitGeneration;
import io.quorumlb.proto.v1.CompactPool;
import io.quorumlb.proto.v1.GatewayOwner;
import io.quorumlb.proto.v1.LogEntry;
import io.quorumlb.proto.v1.MemberName;
import io.quorumlb.proto.v1.OverrideGuards;
import io.quorumlb.proto.v1.PassTime;
import io.quorumlb.proto.v1.SetLabels;
import io.quorumlb.proto.v1.SetMemberAdmin;
import io.quorumlb.proto.v1.SetMemberCeiling;
import io.quorumlb.proto.v1.SetMemberMac;
import io.quorumlb.proto.v1.SetMemberWeight;
import io.quorumlb.proto.v1.SetMinEligible;
import io.quorumlb.proto.v1.SetPoolGuards;
import io.quorumlb.proto.v1.SetPoolMonitor;
import io.quorumlb.proto.v1.SetService;
import io.quorumlb.proto.v1.SetWhenEmpty;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Converts log entries. */
public final class EntryCodec {
    /** Size of the largest entry that the log takes, in bytes. */
    public static final int ENTRY_BYTES_MAX = 3 << 20;

    private EntryCodec() {}

    /** Returns the command as a log entry. */
    public static LogEntry toWire(Command command) {
        LogEntry.Builder entry = LogEntry.newBuilder();
        return switch (command) {
            case Command.CreateSegment(var segment) ->
                entry.setCreateSegment(ModelCodec.toWire(segment)).build();
            case Command.SetSegmentGateways(var segment) ->
                entry.setSetSegmentGateways(ModelCodec.toWire(segment)).build();
            case Command.DeleteSegment(String name) ->
                entry.setDeleteSegment(name).build();
            case Command.CreatePool(var pool) ->
                entry.setCreatePool(ModelCodec.toWire(pool)).build();
            case Command.DeletePool(String name) -> entry.setDeletePool(name).build();
            case Command.CreateMember(String pool, String segment, var member) ->
                entry.setCreateMember(ModelCodec.toWire(member, pool, segment)).build();
            case Command.DeleteMember(String pool, String member) ->
                entry.setDeleteMember(name(pool, member)).build();
            case Command.SetMemberAdmin(String pool, String member, var admin) ->
                entry.setSetMemberAdmin(SetMemberAdmin.newBuilder()
                                .setMember(name(pool, member))
                                .setAdmin(ModelCodec.toWire(admin)))
                        .build();
            case Command.SetMemberWeight(String pool, String member, int weight) ->
                entry.setSetMemberWeight(SetMemberWeight.newBuilder()
                                .setMember(name(pool, member))
                                .setWeight(weight))
                        .build();
            case Command.SetMemberCeiling(String pool, String member, int ceiling) ->
                entry.setSetMemberCeiling(SetMemberCeiling.newBuilder()
                                .setMember(name(pool, member))
                                .setCeiling(ceiling))
                        .build();
            case Command.SetMemberMac(String pool, String member, var mac) ->
                entry.setSetMemberMac(SetMemberMac.newBuilder()
                                .setMember(name(pool, member))
                                .setMac(mac.map(StaticMac::toString).orElse("")))
                        .build();
            case Command.CompactPool(String pool, int movedMax) ->
                entry.setCompactPool(CompactPool.newBuilder().setPool(pool).setMovedMax(movedMax))
                        .build();
            case Command.CreateListener(String pool, var listener) ->
                entry.setCreateListener(ModelCodec.toWire(listener, pool)).build();
            case Command.SetListener(String pool, var listener) ->
                entry.setSetListener(ModelCodec.toWire(listener, pool)).build();
            case Command.SetWhenEmpty(String listener, var policy) ->
                entry.setSetWhenEmpty(EmptyPolicyCodec.toWire(listener, policy)).build();
            case Command.DeleteListener(String name) ->
                entry.setDeleteListener(name).build();
            case Command.SetService set -> entry.setSetService(toWire(set)).build();
            case Command.AssignGateways assign ->
                entry.setAssignGateways(toWire(assign)).build();
            case Command.CommitGeneration commit ->
                entry.setCommitGeneration(toWire(commit)).build();
            case Command.Requested(var origin, var asked) ->
                toWire(asked).toBuilder().setOrigin(OriginCodec.toWire(origin)).build();
            case Command.SetSlotFunction(var function) ->
                entry.setSetSlotFunction(EnumCodec.toWire(function)).build();
            case Command.SetMinEligible(String pool, int minEligible) ->
                entry.setSetMinEligible(
                                SetMinEligible.newBuilder().setPool(pool).setMinEligible(minEligible))
                        .build();
            case Command.SetPoolMonitor(String pool, var monitor) ->
                entry.setSetPoolMonitor(
                                SetPoolMonitor.newBuilder().setPool(pool).setMonitor(MonitorCodec.toWire(monitor)))
                        .build();
            case Command.SetPoolGuards(String pool, var guards) ->
                entry.setSetPoolGuards(SetPoolGuards.newBuilder().setPool(pool).setGuards(GuardCodec.toWire(guards)))
                        .build();
            case Command.OverrideGuards(String pool, var override) ->
                entry.setOverrideGuards(
                                OverrideGuards.newBuilder().setPool(pool).setOverride(GuardCodec.toWire(override)))
                        .build();
            case Command.Batch batch -> entry.setBatch(toWire(batch)).build();
            case Command.CreateLoadBalancer(var owner) ->
                entry.setCreateLoadBalancer(LoadBalancerCodec.toWire(owner)).build();
            case Command.SetLoadBalancer set ->
                entry.setSetLoadBalancer(LoadBalancerCodec.toWire(set)).build();
            case Command.DeleteLoadBalancer(String name) ->
                entry.setDeleteLoadBalancer(name).build();
            case Command.SetLabels(var kind, String name, var labels) ->
                entry.setSetLabels(SetLabels.newBuilder()
                                .setKind(EnumCodec.toWire(kind))
                                .setName(name)
                                .putAllLabels(labels.values()))
                        .build();
            case Command.HoldMember hold ->
                entry.setHoldMember(TimersCodec.toWire(hold)).build();
            case Command.ReleaseMember(String pool, String member) ->
                entry.setReleaseMember(name(pool, member)).build();
            case Command.DrainMember drain ->
                entry.setDrainMember(TimersCodec.toWire(drain)).build();
            case Command.RampMember ramp ->
                entry.setRampMember(TimersCodec.toWire(ramp)).build();
            case Command.RampWeight ramp ->
                entry.setRampWeight(TimersCodec.toWire(ramp)).build();
            case Command.PassTime(long millis) ->
                entry.setPassTime(PassTime.newBuilder().setMillis(millis)).build();
        };
    }

    /**
     * Returns the command of a log entry.
     *
     * @throws UnreadableEntryException naming the field that is wrong, unset or unknown
     */
    public static Command fromWire(LogEntry entry) {
        requireKnown(entry);
        try {
            Command command = command(entry);
            return entry.hasOrigin()
                    ? new Command.Requested(OriginCodec.fromWire(entry.getOrigin()), command)
                    : command;
        } catch (UnreadableEntryException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UnreadableEntryException("log entry %s: %s".formatted(entry.getCommandCase(), e.getMessage()), e);
        }
    }

    /**
     * Returns the command of a serialized log entry.
     *
     * @throws UnreadableEntryException if the bytes are not a log entry, and as {@link #fromWire(LogEntry)} does
     */
    public static Command parse(ByteBuffer bytes) {
        try {
            return fromWire(LogEntry.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new UnreadableEntryException("log entry is not a LogEntry message: " + e.getMessage(), e);
        }
    }

    private static Command command(LogEntry entry) {
        return switch (entry.getCommandCase()) {
            case CREATE_SEGMENT -> new Command.CreateSegment(ModelCodec.fromWire(entry.getCreateSegment()));
            case SET_SEGMENT_GATEWAYS ->
                new Command.SetSegmentGateways(ModelCodec.fromWire(entry.getSetSegmentGateways()));
            case DELETE_SEGMENT -> new Command.DeleteSegment(entry.getDeleteSegment());
            case CREATE_POOL -> new Command.CreatePool(ModelCodec.fromWire(entry.getCreatePool()));
            case DELETE_POOL -> new Command.DeletePool(entry.getDeletePool());
            case CREATE_MEMBER -> {
                var member = entry.getCreateMember();
                yield new Command.CreateMember(member.getPool(), member.getSegment(), ModelCodec.fromWire(member));
            }
            case DELETE_MEMBER -> {
                MemberName name = entry.getDeleteMember();
                yield new Command.DeleteMember(name.getPool(), name.getMember());
            }
            case SET_MEMBER_ADMIN -> {
                SetMemberAdmin set = entry.getSetMemberAdmin();
                yield new Command.SetMemberAdmin(
                        set.getMember().getPool(),
                        set.getMember().getMember(),
                        EnumCodec.fromWire("set_member_admin.admin", set.getAdmin()));
            }
            case SET_MEMBER_WEIGHT -> {
                SetMemberWeight set = entry.getSetMemberWeight();
                yield new Command.SetMemberWeight(
                        set.getMember().getPool(), set.getMember().getMember(), set.getWeight());
            }
            case SET_MEMBER_CEILING -> {
                SetMemberCeiling set = entry.getSetMemberCeiling();
                yield new Command.SetMemberCeiling(
                        set.getMember().getPool(), set.getMember().getMember(), set.getCeiling());
            }
            case SET_MEMBER_MAC -> {
                SetMemberMac set = entry.getSetMemberMac();
                yield new Command.SetMemberMac(
                        set.getMember().getPool(),
                        set.getMember().getMember(),
                        ModelCodec.staticMac("mac", set.getMac()));
            }
            case COMPACT_POOL ->
                new Command.CompactPool(
                        entry.getCompactPool().getPool(), entry.getCompactPool().getMovedMax());
            case CREATE_LISTENER -> {
                var listener = entry.getCreateListener();
                yield new Command.CreateListener(listener.getPool(), ModelCodec.fromWire(listener));
            }
            case SET_LISTENER -> {
                var listener = entry.getSetListener();
                yield new Command.SetListener(listener.getPool(), ModelCodec.fromWire(listener));
            }
            case SET_WHEN_EMPTY -> {
                SetWhenEmpty set = entry.getSetWhenEmpty();
                yield new Command.SetWhenEmpty(
                        set.getListener(), EmptyPolicyCodec.fromWire(set.getWhenEmpty(), set.getFallbackPool()));
            }
            case SET_MIN_ELIGIBLE ->
                new Command.SetMinEligible(
                        entry.getSetMinEligible().getPool(),
                        entry.getSetMinEligible().getMinEligible());
            case DELETE_LISTENER -> new Command.DeleteListener(entry.getDeleteListener());
            case SET_SERVICE -> fromWire(entry.getSetService());
            case ASSIGN_GATEWAYS -> fromWire(entry.getAssignGateways());
            case COMMIT_GENERATION -> fromWire(entry.getCommitGeneration());
            case SET_SLOT_FUNCTION ->
                new Command.SetSlotFunction(EnumCodec.fromWire("set_slot_function", entry.getSetSlotFunction()));
            case SET_POOL_MONITOR ->
                new Command.SetPoolMonitor(
                        entry.getSetPoolMonitor().getPool(),
                        MonitorCodec.fromWire(entry.getSetPoolMonitor().getMonitor()));
            case SET_POOL_GUARDS ->
                new Command.SetPoolGuards(
                        entry.getSetPoolGuards().getPool(),
                        GuardCodec.fromWire(entry.getSetPoolGuards().getGuards(), PoolGuards.DEFAULT));
            case OVERRIDE_GUARDS ->
                new Command.OverrideGuards(
                        entry.getOverrideGuards().getPool(),
                        GuardCodec.fromWire(entry.getOverrideGuards().getOverride()));
            case BATCH -> fromWire(entry.getBatch());
            case CREATE_LOAD_BALANCER ->
                new Command.CreateLoadBalancer(LoadBalancerCodec.fromWire(entry.getCreateLoadBalancer()));
            case SET_LOAD_BALANCER -> LoadBalancerCodec.fromWire(entry.getSetLoadBalancer());
            case DELETE_LOAD_BALANCER -> new Command.DeleteLoadBalancer(entry.getDeleteLoadBalancer());
            case SET_LABELS -> {
                SetLabels set = entry.getSetLabels();
                yield new Command.SetLabels(
                        EnumCodec.fromWire("set_labels.kind", set.getKind()),
                        set.getName(),
                        MetaCodec.labels("set_labels.labels", set.getLabelsMap()));
            }
            case HOLD_MEMBER -> TimersCodec.fromWire(entry.getHoldMember());
            case RELEASE_MEMBER ->
                new Command.ReleaseMember(
                        entry.getReleaseMember().getPool(),
                        entry.getReleaseMember().getMember());
            case DRAIN_MEMBER -> TimersCodec.fromWire(entry.getDrainMember());
            case RAMP_MEMBER -> TimersCodec.fromWire(entry.getRampMember());
            case RAMP_WEIGHT -> TimersCodec.fromWire(entry.getRampWeight());
            case PASS_TIME ->
                new Command.PassTime(
                        WireField.number("pass_time.millis", entry.getPassTime().getMillis()));
            case COMMAND_NOT_SET -> throw new UnreadableEntryException("log entry without a command");
        };
    }

    private static Batch toWire(Command.Batch batch) {
        return Batch.newBuilder()
                .addAllEntries(batch.parts().stream().map(EntryCodec::toWire).toList())
                .build();
    }

    private static Command.Batch fromWire(Batch message) {
        return new Command.Batch(message.getEntriesList().stream()
                .map(entry -> switch (command(entry)) {
                    case Command.Edit edit when !entry.hasOrigin() -> edit;
                    default ->
                        throw new UnreadableEntryException("batch.entries: %s is no change of configured objects"
                                .formatted(entry.getCommandCase()));
                })
                .toList());
    }

    static MemberName name(String pool, String member) {
        return MemberName.newBuilder().setPool(pool).setMember(member).build();
    }

    private static SetService toWire(Command.SetService set) {
        return SetService.newBuilder()
                .setNode(set.node().value())
                .setService(EnumCodec.toWire(set.service()))
                .setReason(set.reason())
                .addAllStaying(set.staying().stream().map(NodeId::value).toList())
                .build();
    }

    private static Command.SetService fromWire(SetService message) {
        SortedSet<NodeId> staying = new TreeSet<>();
        message.getStayingList()
                .forEach(node -> staying.add(WireField.parse("set_service.staying", node, NodeId::new)));
        return new Command.SetService(
                WireField.parse("set_service.node", message.getNode(), NodeId::new),
                EnumCodec.fromWire("set_service.service", message.getService()),
                message.getReason(),
                staying);
    }

    private static AssignGateways toWire(Command.AssignGateways assign) {
        return AssignGateways.newBuilder()
                .addAllBefore(toWire(assign.before()))
                .addAllMoved(toWire(assign.moved()))
                .setReason(assign.reason())
                .build();
    }

    private static Command.AssignGateways fromWire(AssignGateways message) {
        return new Command.AssignGateways(
                gateways("assign_gateways.before", message.getBeforeList()),
                gateways("assign_gateways.moved", message.getMovedList()),
                message.getReason());
    }

    /** Returns who answers for gateways as messages, in the order of the map. */
    static List<GatewayOwner> toWire(SortedMap<GatewayId, NodeId> owners) {
        return owners.entrySet().stream()
                .map(entry -> GatewayOwner.newBuilder()
                        .setSegmentId(entry.getKey().segmentId())
                        .setHome(entry.getKey().home().value())
                        .setOwner(entry.getValue().value())
                        .build())
                .toList();
    }

    /** Returns who answers for gateways; throws IllegalArgumentException that names the field if one is named twice. */
    static SortedMap<GatewayId, NodeId> gateways(String field, List<GatewayOwner> messages) {
        SortedMap<GatewayId, NodeId> owners = new TreeMap<>();
        for (GatewayOwner message : messages) {
            var gateway = new GatewayId(
                    message.getSegmentId(), WireField.parse(field + ".home", message.getHome(), NodeId::new));
            NodeId owner = WireField.parse(field + ".owner", message.getOwner(), NodeId::new);
            if (owners.putIfAbsent(gateway, owner) != null) {
                throw new IllegalArgumentException("%s names %s twice".formatted(field, gateway));
            }
        }
        return owners;
    }

    private static CommitGeneration toWire(Command.CommitGeneration commit) {
        var message = CommitGeneration.newBuilder()
                .setPoolId(commit.poolId())
                .setNumber(commit.number())
                .setRevision(commit.revision())
                .putAllEffectiveWeights(commit.effectiveWeights())
                .setExpectedDigest(commit.expected().hex())
                .setReason(commit.reason())
                .setCause(EnumCodec.toWire(commit.cause()))
                .setFooting(EnumCodec.toWire(commit.footing()));
        commit.evidence().forEach(evidence -> message.addEvidence(GuardCodec.toWire(evidence)));
        return message.build();
    }

    private static Command.CommitGeneration fromWire(CommitGeneration message) {
        // Numbers out of range are the state machine's to refuse: a refused entry does no harm, an unreadable one stops
        // every node.
        return new Command.CommitGeneration(
                message.getPoolId(),
                message.getNumber(),
                message.getRevision(),
                new TreeMap<>(message.getEffectiveWeightsMap()),
                WireField.digest("commit_generation.expected_digest", message.getExpectedDigest()),
                message.getReason(),
                EnumCodec.fromWire("commit_generation.cause", message.getCause()),
                EnumCodec.fromWire("commit_generation.footing", message.getFooting()),
                message.getEvidenceList().stream().map(GuardCodec::fromWire).toList());
    }

    /** A field that a newer version added may carry meaning: without it this node would compute another state. */
    private static void requireKnown(Message message) {
        var unknown = message.getUnknownFields().asMap().keySet();
        if (!unknown.isEmpty()) {
            throw new UnreadableEntryException("log entry has unknown fields %s in %s: a newer version wrote it"
                    .formatted(unknown, message.getDescriptorForType().getName()));
        }
        for (Object value : message.getAllFields().values()) {
            switch (value) {
                case Message part -> requireKnown(part);
                case List<?> parts ->
                    parts.stream()
                            .filter(Message.class::isInstance)
                            .map(Message.class::cast)
                            .forEach(EntryCodec::requireKnown);
                default -> {
                    // Numbers, texts and enums hold no fields.
                }
            }
        }
    }
}
