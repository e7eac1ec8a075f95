package io.quorumlb.node.core;

import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.ReadBack;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import io.quorumlb.ovs.pipeline.Traffic;
import io.quorumlb.ovs.pipeline.WhenEmpty;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Works out what the switch should do from what is committed and what this node's network looks like. */
final class Intents {
    private Intents() {}

    /**
     * Brings {@code built} and {@code serving} up to the committed generations, as far as they can be installed.
     *
     * @param scope pools for which that may have another result than the last time; those that are gone are among them
     */
    static void serve(Turn turn, SortedSet<Integer> scope) {
        SortedMap<Integer, BuiltTable> built = new TreeMap<>(turn.datapath.built());
        SortedMap<Integer, ServedPool> serving = new TreeMap<>(turn.datapath.serving());
        SortedMap<Integer, MacAddress> installedMacs = turn.datapath.serving().isEmpty()
                ? turn.datapath
                        .snapshot()
                        .map(snapshot -> ReadBack.memberMacs(snapshot.ownFlows().values()))
                        .orElse(new TreeMap<>())
                : new TreeMap<>();
        for (int poolId : scope) {
            Optional<ServedPool> before = Optional.ofNullable(serving.get(poolId));
            Optional<PoolGeneration> generation = turn.log.cluster().generation(poolId);
            if (!turn.log.cluster().model().pools().containsKey(poolId)) {
                built.remove(poolId);
                serving.remove(poolId);
            } else if (generation.isPresent()) {
                BuiltTable table = Optional.ofNullable(built.get(poolId))
                        .filter(old -> old.generation().equals(generation.get()))
                        .orElseGet(() -> BuiltTable.of(generation.get()));
                built.put(poolId, table);
                ServedPool now = served(turn, table, before, installedMacs);
                if (table.asExpected() && withoutMac(now, table).isEmpty() && !before.equals(Optional.of(now))) {
                    serving.put(poolId, now);
                }
            } else {
                built.remove(poolId);
            }
        }
        turn.datapath = turn.datapath.withTables(built, serving);
    }

    /** Returns the eligible members that have no MAC address. */
    static List<ServedMember> withoutMac(ServedPool pool, BuiltTable table) {
        return pool.members().stream()
                .filter(member -> member.mac().isEmpty())
                .filter(member -> table.generation()
                        .member(member.id())
                        .filter(configured -> configured.effectiveWeight() > 0)
                        .isPresent())
                .toList();
    }

    /** Returns what the pool would forward by under the built table. */
    static ServedPool served(
            Turn turn, BuiltTable table, Optional<ServedPool> before, SortedMap<Integer, MacAddress> installedMacs) {
        PoolGeneration generation = table.generation();
        List<ServedMember> members = generation.members().stream()
                .filter(member -> !gone(turn, member))
                .map(member -> member(turn, member, before, installedMacs))
                .toList();
        return new ServedPool(
                generation.poolId(),
                generation.number(),
                table.digest(),
                table.table(),
                members,
                FailingOpen.table(turn.log.cluster(), generation, before),
                turn.log.cluster().empty(generation.poolId()) ? Standing.EMPTY : Standing.SERVING);
    }

    /** A retired member has a place in the base, nothing else: its address may serve elsewhere by now. */
    private static boolean gone(Turn turn, TableMember member) {
        Member configured = turn.log.cluster().model().members().get(member.id());
        return configured != null && configured.retired() && member.effectiveWeight() == 0;
    }

    /** A MAC address that was found in the switch is the best there is until another one is heard. */
    private static ServedMember member(
            Turn turn, TableMember member, Optional<ServedPool> before, SortedMap<Integer, MacAddress> installedMacs) {
        IpAddress address = member.key().address();
        String segment = segment(turn, member);
        // Without an attachment to its segment no flow leads to the member, whatever is known about its MAC address.
        Optional<MacAddress> mac = Optional.ofNullable(turn.settings.segments().get(segment))
                .flatMap(attachment -> turn.neighbours
                        .mac(attachment.interfaceName(), address)
                        .or(() -> before.flatMap(pool -> pool.members().stream()
                                .filter(known -> known.id() == member.id())
                                .findFirst()
                                .flatMap(ServedMember::mac)))
                        .or(() -> Optional.ofNullable(installedMacs.get(member.id()))));
        return new ServedMember(member.id(), address, member.key().port(), segment, mac);
    }

    /** Returns the name of the member's segment; a member deleted since its generation is found by its address. */
    private static String segment(Turn turn, TableMember member) {
        Model model = turn.log.cluster().model();
        return Optional.ofNullable(model.members().get(member.id()))
                .flatMap(configured -> Optional.ofNullable(model.segments().get(configured.segmentId())))
                .or(() -> model.segments().values().stream()
                        .filter(segment -> segment.contains(member.key().address()))
                        .findFirst())
                .map(Segment::name)
                .orElse("");
    }

    /** Returns what the switch should do; empty while an own port or interface is missing. */
    static Optional<SwitchIntent> intent(Turn turn, SwitchSnapshot snapshot) {
        Optional<Port> uplink = port(turn, snapshot, turn.settings.uplink());
        if (uplink.isEmpty()) {
            return Optional.empty();
        }
        SortedMap<String, SegmentPort> segments = new TreeMap<>();
        for (Segment segment : turn.log.cluster().model().segments().values()) {
            Attachment attachment = turn.settings.segments().get(segment.name());
            if (attachment != null) {
                Optional<Port> port = port(turn, snapshot, attachment);
                if (port.isEmpty()) {
                    return Optional.empty();
                }
                segments.put(
                        segment.name(),
                        new SegmentPort(port.get(), turn.log.cluster().gatewaysOf(segment, turn.settings.self())));
            }
        }
        SortedMap<IpFamily, MacAddress> nextHops = new TreeMap<>();
        turn.settings
                .nextHops()
                .forEach((family, router) -> turn.neighbours
                        .mac(turn.settings.uplink().interfaceName(), router)
                        .or(() -> turn.datapath.compared().flatMap(intent -> intent.nextHop(family)))
                        .or(() -> turn.datapath.proven().flatMap(intent -> intent.nextHop(family)))
                        .or(() -> Optional.ofNullable(
                                ReadBack.nextHopMacs(snapshot.ownFlows().values())
                                        .get(family)))
                        .ifPresent(mac -> nextHops.put(family, mac)));
        // Also those whose pool cannot be served yet: it may still forward by what was found in the switch.
        List<ServedListener> listeners = turn.log.cluster().model().listeners().values().stream()
                .map(listener -> served(turn.log.cluster().model(), listener))
                .toList();
        return Optional.of(new SwitchIntent(
                uplink.get(),
                nextHops,
                segments,
                listeners,
                Departed.without(
                        turn.log.cluster().model(), turn.datapath.serving().values()),
                new TreeSet<>(turn.settings.nextHops().values()),
                turn.log.cluster().slotFunction()));
    }

    private static ServedListener served(Model model, Listener listener) {
        Traffic traffic = switch (listener.traffic()) {
            case io.quorumlb.consensus.model.Traffic.Ports(var protocol, var ports, var memberPort) ->
                new Traffic.Ports(transport(protocol), ports.first(), ports.last(), memberPort);
            case io.quorumlb.consensus.model.Traffic.AllPorts(var protocol) ->
                new Traffic.AllPorts(transport(protocol));
            case io.quorumlb.consensus.model.Traffic.Everything() -> new Traffic.Everything();
        };
        return new ServedListener(
                listener.id(), listener.poolId(), listener.vip(), traffic, listener.hash(), whenEmpty(model, listener));
    }

    private static WhenEmpty whenEmpty(Model model, Listener listener) {
        return switch (listener.whenEmpty()) {
            case EmptyPolicy.Drop _ -> new WhenEmpty.Drop();
            case EmptyPolicy.Reject _ -> new WhenEmpty.Reject();
            case EmptyPolicy.FailOpen _ -> new WhenEmpty.FailOpen();
            case EmptyPolicy.Withdraw _ -> new WhenEmpty.Withdraw();
            case EmptyPolicy.FallbackPool _ ->
                model.fallbackOf(listener)
                        .<WhenEmpty>map(pool -> new WhenEmpty.Fallback(pool.id()))
                        .orElseGet(WhenEmpty.Drop::new);
        };
    }

    private static Traffic.Transport transport(Protocol protocol) {
        return switch (protocol) {
            case TCP -> Traffic.Transport.TCP;
            case UDP -> Traffic.Transport.UDP;
        };
    }

    /** Returns the attachment as the switch and the kernel have it; empty while either has not. */
    static Optional<Port> port(Turn turn, SwitchSnapshot snapshot, Attachment attachment) {
        SwitchPort external = snapshot.ports().get(attachment.port());
        SwitchPort internal = snapshot.ports().get(attachment.interfaceName());
        Optional<InterfaceAddress> own =
                turn.network.view().map(view -> view.interfaces().get(attachment.interfaceName()));
        if (external == null || internal == null || own.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Port(
                external.number(), internal.number(), own.get().mac(), own.get().addresses()));
    }
}
