package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command.CreateListener;
import io.quorumlb.consensus.machine.Command.CreateMember;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.site.Site;
import io.quorumlb.consensus.site.SiteChange;
import io.quorumlb.consensus.wire.LoadBalancerCodec;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.ChangeVerb;
import io.quorumlb.proto.v1.ExportResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.LoadBalancerState;
import io.quorumlb.proto.v1.ObjectChange;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Converts sites. What a site leaves open is taken from what is there. */
final class Sites {
    private final NodeState state;
    private final SortedMap<String, HashAlgoVersion> algorithms = new TreeMap<>();
    private final SortedMap<String, AdminState> admins = new TreeMap<>();
    private final SortedMap<String, Integer> weights = new TreeMap<>();
    private final SortedMap<String, LoadBalancerState> states = new TreeMap<>();
    private final SortedMap<String, SortedSet<IpAddress>> vips = new TreeMap<>();

    private Sites(NodeState state) {
        this.state = state;
        Site present = Site.of(state.cluster().model());
        present.pools().forEach(pool -> algorithms.put(pool.name(), pool.algorithm()));
        present.loadBalancers().forEach(owner -> states.put(owner.name(), LoadBalancerCodec.toWire(owner.service())));
        vips.putAll(LoadBalancerCalls.vips(state.cluster().model()));
        present.members().forEach(wanted -> {
            String name = wanted.pool() + "/" + wanted.member().name();
            admins.put(name, ModelCodec.toWire(wanted.member().admin()));
            weights.put(name, wanted.member().weight());
        });
    }

    /**
     * Returns what a message asks for.
     *
     * @param state of the answering node
     * @throws io.grpc.StatusRuntimeException with INVALID_ARGUMENT, naming the object and its field
     */
    static Site of(io.quorumlb.proto.v1.Site message, NodeState state) {
        var sites = new Sites(state);
        try {
            List<LoadBalancer> loadBalancers = message.getLoadBalancersList().stream()
                    .map(sites::loadBalancer)
                    .toList();
            loadBalancers.forEach(owner -> sites.vips.put(owner.name(), owner.vips()));
            return new Site(
                    message.getSegmentsList().stream().map(Sites::segment).toList(),
                    message.getPoolsList().stream().map(sites::pool).toList(),
                    message.getMembersList().stream().map(sites::member).toList(),
                    message.getListenersList().stream().map(sites::listener).toList(),
                    loadBalancers);
        } catch (IllegalArgumentException e) {
            throw Refusals.invalid("site", String.valueOf(e.getMessage()));
        }
    }

    private static Segment segment(io.quorumlb.proto.v1.Segment message) {
        var cleared = message.toBuilder().clearId().clearRevision().build();
        return valid("segments[%s]".formatted(message.getName()), () -> ModelCodec.fromWire(cleared));
    }

    private Pool pool(io.quorumlb.proto.v1.Pool message) {
        var cleared = message.toBuilder().clearId().clearRevision().clearOverride();
        if (message.getAlgorithm() == HashAlgorithm.HASH_ALGORITHM_UNSPECIFIED) {
            cleared.setAlgorithm(
                    ModelCodec.toWire(algorithms.getOrDefault(message.getName(), Commands.ALGORITHM_DEFAULT)));
        }
        return valid("pools[%s]".formatted(message.getName()), () -> ModelCodec.fromWire(cleared.build()));
    }

    private CreateMember member(io.quorumlb.proto.v1.Member message) {
        String name = message.getPool() + "/" + message.getName();
        String path = "members[%s]".formatted(name);
        var cleared = message.toBuilder().clearId().clearRevision().clearCeiling();
        if (!message.hasWeight()) {
            cleared.setWeight(weights.getOrDefault(name, Commands.WEIGHT_DEFAULT));
        }
        switch (message.getAdmin()) {
            case ADMIN_STATE_UNSPECIFIED -> cleared.setAdmin(admins.getOrDefault(name, AdminState.ADMIN_STATE_ENABLED));
            case ADMIN_STATE_RETIRED ->
                throw Refusals.invalid(
                        path + ".admin",
                        path
                                + ": admin ADMIN_STATE_RETIRED: enabled or drained expected, a member retires when it is deleted");
            case ADMIN_STATE_ENABLED, ADMIN_STATE_DRAINED, UNRECOGNIZED -> {
                // As it is; a value that nobody knows is the codec's to refuse.
            }
        }
        return new CreateMember(
                named(path + ".pool", message.getPool()),
                named(path + ".segment", message.getSegment()),
                valid(path, () -> ModelCodec.fromWire(cleared.build())));
    }

    private LoadBalancer loadBalancer(io.quorumlb.proto.v1.LoadBalancer message) {
        String path = "load_balancers[%s]".formatted(message.getName());
        var cleared = message.toBuilder().clearId().clearRevision();
        if (message.getState() == LoadBalancerState.LOAD_BALANCER_STATE_UNSPECIFIED) {
            cleared.setState(states.getOrDefault(message.getName(), LoadBalancerState.LOAD_BALANCER_STATE_ENABLED));
        }
        LoadBalancer owner = valid(path, () -> LoadBalancerCodec.fromWire(cleared.build()));
        LoadBalancerCalls.used(owner, state).ifPresent(vip -> {
            throw Refusals.invalid(
                    path + ".vip",
                    "%s: VIP %s is the address of a node or router: one that nobody has expected".formatted(path, vip));
        });
        return owner;
    }

    private CreateListener listener(io.quorumlb.proto.v1.Listener message) {
        String path = "listeners[%s]".formatted(message.getName());
        var cleared = LoadBalancerCalls.placed(
                path, message.toBuilder().clearId().clearRevision().build(), vips);
        Listener listener = valid(path, () -> ModelCodec.fromWire(cleared));
        if (state.uses(listener.vip())) {
            throw Refusals.invalid(
                    path + ".vip",
                    "%s: VIP %s is the address of a node or router: one that nobody has expected"
                            .formatted(path, listener.vip()));
        }
        return new CreateListener(named(path + ".pool", message.getPool()), listener);
    }

    private static String named(String field, String name) {
        return Commands.named(field, name);
    }

    private static <T> T valid(String path, Supplier<T> conversion) {
        try {
            return conversion.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            String field = Commands.precise("", message);
            throw Refusals.invalid(
                    path + field.substring(Math.max(0, field.indexOf('.'))), "%s: %s".formatted(path, message));
        }
    }

    /** Returns the configuration as a message, by name. */
    static ExportResponse export(ClusterState cluster) {
        Site site = Site.of(cluster.model());
        var message = io.quorumlb.proto.v1.Site.newBuilder();
        site.segments().forEach(segment -> message.addSegments(ModelCodec.toWire(segment)));
        site.pools().forEach(pool -> message.addPools(ModelCodec.toWire(pool)));
        site.members()
                .forEach(wanted ->
                        message.addMembers(ModelCodec.toWire(wanted.member(), wanted.pool(), wanted.segment())));
        site.listeners().forEach(wanted -> message.addListeners(ModelCodec.toWire(wanted.listener(), wanted.pool())));
        site.loadBalancers().forEach(owner -> message.addLoadBalancers(LoadBalancerCodec.toWire(owner)));
        return ExportResponse.newBuilder()
                .setSite(message)
                .setRevision(cluster.revision())
                .build();
    }

    /** Returns the change as a message. */
    static ObjectChange toWire(SiteChange change) {
        return ObjectChange.newBuilder()
                .setKind(ModelCodec.toWire(change.kind()))
                .setName(change.name())
                .setVerb(
                        switch (change.verb()) {
                            case CREATE -> ChangeVerb.CHANGE_VERB_CREATE;
                            case SET -> ChangeVerb.CHANGE_VERB_SET;
                            case DELETE -> ChangeVerb.CHANGE_VERB_DELETE;
                        })
                .addAllDetails(change.details())
                .build();
    }

    /** Returns the name of the pool that a change is about; empty if it is about none. */
    static Optional<String> pool(SiteChange change) {
        return switch (change.kind()) {
            case POOL -> Optional.of(change.name());
            case MEMBER -> Optional.of(change.name().substring(0, change.name().indexOf('/')));
            case SEGMENT, LISTENER, LOAD_BALANCER -> Optional.empty();
        };
    }
}
