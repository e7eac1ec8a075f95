package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Command.CommitGeneration.Footing;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.LoadBalancer.Service;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.MonitorCheck.Silence;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.ObjectMeta;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.PoolGuards.Flapping;
import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.ProbeBytes;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.Segment.Network;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.consensus.pool.Evidence;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** Seeded commands over few names and addresses, so that about half of them collide with what exists. */
public final class RandomCommands {
    private static final int KINDS = 21;
    private static final int NAMES = 4;

    private final SplittableRandom random;
    private final SplittableRandom labelling;
    private long millis;

    public RandomCommands(long seed) {
        random = new SplittableRandom(seed);
        labelling = new SplittableRandom(seed + 1_000_000);
    }

    /** Returns the state after some commands. */
    public static ClusterState state(long seed, int commands) {
        RandomCommands source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        for (int i = 0; i < commands; i++) {
            state = StateMachine.apply(state, source.next(state)).state();
        }
        return state;
    }

    /** Returns a command that may or may not fit the state; some say who they are, some of these again. */
    public Command next(ClusterState state) {
        Command command = command(state);
        return random.nextInt(3) == 0 ? new Command.Requested(origin(state, command), command) : command;
    }

    private Origin origin(ClusterState state, Command command) {
        millis += random.nextInt(60_000);
        int number = random.nextInt(100);
        Origin origin = new Origin(
                new RequestId("r" + number),
                rarely() ? "other" : OriginCodec.content(command),
                Math.max(0, millis - (rarely() ? 300_000 : 0)),
                rarely() ? OptionalLong.of(state.revision() + random.nextInt(2)) : OptionalLong.empty(),
                labelling.nextInt(8) == 0
                        ? OptionalLong.of(labelling.nextLong(state.revision() + 1))
                        : OptionalLong.empty(),
                Optional.empty());
        return number % 3 == 0 ? origin : origin.by(author(number));
    }

    private static Authorship author(int number) {
        Role role = number % 2 == 0 ? Role.OPERATOR : Role.ADMIN;
        return new Authorship(
                new Caller("user " + number, role, "10.40.0." + number),
                "Method" + number,
                "object/" + number,
                new NodeId("n" + number));
    }

    private Command command(ClusterState state) {
        return switch (random.nextInt(KINDS)) {
            case 0 -> new Command.CreateSegment(segment());
            case 1 -> rarely() ? new Command.DeleteSegment(name("s")) : new Command.CreateSegment(segment());
            case 2 -> new Command.CreatePool(pool());
            case 3 -> rarely() ? new Command.DeletePool(name("p")) : new Command.CreatePool(pool());
            case 4, 5 -> new Command.CreateMember(name("p"), name("s"), member());
            case 6 -> rarely() ? new Command.DeleteMember(name("p"), name("m")) : generation(state);
            case 7 ->
                new Command.SetMemberAdmin(
                        name("p"), name("m"), random.nextBoolean() ? AdminState.DRAINED : AdminState.ENABLED);
            case 8 -> new Command.SetMemberWeight(name("p"), name("m"), random.nextInt(-1, TableMember.WEIGHT_MAX + 2));
            case 9 ->
                rarely() ? new Command.DeleteListener(name("l")) : new Command.CreateListener(name("p"), listener());
            case 10 ->
                random.nextBoolean()
                        ? new Command.SetMemberCeiling(
                                name("p"), name("m"), random.nextInt(-1, TableMember.WEIGHT_MAX + 2))
                        : new Command.SetMemberMac(name("p"), name("m"), mac());
            case 11 ->
                rarely() ? new Command.CompactPool(name("p"), random.nextInt(SlotTable.SLOTS_MAX)) : generation(state);
            case 13 ->
                random.nextBoolean() ? new Command.SetPoolGuards(name("p"), guards()) : override(state, name("p"));
            case 12 -> service();
            case 14 -> new Command.SetWhenEmpty(name("l"), policy());
            case 15 -> new Command.SetMinEligible(name("p"), random.nextInt(0, 5));
            case 16 -> redefined();
            case 17 -> rarely() ? batch(state) : generation(state);
            case 18 -> timed();
            case 19 -> random.nextBoolean() ? timed() : new Command.PassTime(millis += random.nextInt(5_000));
            default -> generation(state);
        };
    }

    private Command timed() {
        long duration = rarely() ? random.nextLong(-1, 2_000) : random.nextLong(1_000, 100_000);
        return switch (random.nextInt(5)) {
            case 0 -> new Command.ReleaseMember(name("p"), name("m"));
            case 1 ->
                new Command.DrainMember(
                        name("p"), name("m"), rarely() ? OptionalLong.empty() : OptionalLong.of(duration));
            case 2 -> ramp(name("p"), name("m"), duration, random.nextInt(0, 102));
            default ->
                new Command.HoldMember(
                        name("p"),
                        name("m"),
                        random.nextBoolean() ? Health.UP : Health.DOWN,
                        duration,
                        "reason".repeat(random.nextInt(35)));
        };
    }

    /** Draws nothing: the histories of a seed stay what they were in all else. */
    private static Command ramp(String pool, String member, long duration, int steps) {
        return duration % 2 == 0
                ? new Command.RampMember(pool, member, duration, steps)
                : new Command.RampWeight(pool, member, steps * 5, duration, steps);
    }

    private Command redefined() {
        if (labelling.nextInt(3) == 0) {
            return labelled();
        }
        return switch (random.nextInt(3)) {
            case 0 -> new Command.SetSegmentGateways(segment());
            case 1 -> new Command.SetPoolMonitor(name("p"), pool().monitor());
            default -> new Command.SetListener(name("p"), listener());
        };
    }

    private Command labelled() {
        return switch (labelling.nextInt(8)) {
            case 0 -> new Command.SetLabels(ObjectKind.SEGMENT, name("s"), labels());
            case 1 -> new Command.SetLabels(ObjectKind.POOL, name("p"), labels());
            case 2 -> new Command.SetLabels(ObjectKind.MEMBER, name("p") + "/" + name("m"), labels());
            case 3 -> new Command.SetLabels(ObjectKind.LISTENER, name("l"), labels());
            case 4 -> new Command.SetLabels(ObjectKind.LOAD_BALANCER, owner(), labels());
            case 5 -> new Command.CreateLoadBalancer(loadBalancer());
            case 6 ->
                new Command.SetLoadBalancer(
                        owner(),
                        labelling.nextBoolean() ? Optional.of(Service.DISABLED) : Optional.empty(),
                        labelling.nextBoolean() ? Optional.of("words " + labelling.nextInt(3)) : Optional.empty());
            default -> new Command.DeleteLoadBalancer(owner());
        };
    }

    private String owner() {
        return "b" + labelling.nextInt(NAMES);
    }

    private LoadBalancer loadBalancer() {
        var vips = new TreeSet<IpAddress>();
        vips.add(IpAddress.parse("192.0.2." + labelling.nextInt(1, 4)));
        if (labelling.nextBoolean()) {
            vips.add(IpAddress.parse("2001:db8::" + labelling.nextInt(1, 4)));
        }
        return new LoadBalancer(
                0, owner(), vips, labelling.nextBoolean() ? Service.ENABLED : Service.DISABLED, "", meta());
    }

    private Labels labels() {
        var labels = new TreeMap<String, String>();
        for (int i = labelling.nextInt(3); i > 0; i--) {
            labels.put("key" + labelling.nextInt(3), "value " + labelling.nextInt(3));
        }
        return new Labels(labels);
    }

    private ObjectMeta meta() {
        return new ObjectMeta(labels(), 0);
    }

    private Command batch(ClusterState state) {
        List<Command.Edit> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            if (next(state) instanceof Command.Edit edit) {
                parts.add(edit);
            }
        }
        return new Command.Batch(parts);
    }

    private <T> T pick(T[] values) {
        return List.of(values).get(random.nextInt(values.length));
    }

    private boolean rarely() {
        return random.nextInt(4) == 0;
    }

    private String name(String kind) {
        return kind + random.nextInt(NAMES);
    }

    private Segment segment() {
        int third = random.nextInt(NAMES);
        List<Network> networks = new ArrayList<>();
        if (!rarely()) {
            networks.add(network(third, IpFamily.IPV4));
        }
        if (networks.isEmpty() || random.nextBoolean()) {
            networks.add(network(third, IpFamily.IPV6));
        }
        return new Segment(0, name("s"), networks, meta());
    }

    private Network network(int third, IpFamily family) {
        var gateways = new TreeMap<NodeId, IpAddress>();
        for (String node : List.of("n1", "n2", "n3")) {
            if (random.nextBoolean()) {
                gateways.put(new NodeId(node), address(family, third, 251 + gateways.size()));
            }
        }
        String prefix = family == IpFamily.IPV4 ? "10.20.%d.0/24" : "fd00:20:%d::/64";
        return new Network(IpPrefix.parse(prefix.formatted(third)), gateways);
    }

    private Pool pool() {
        Duration interval = Duration.ofMillis(random.nextInt(100, 10_000));
        return new Pool(
                0,
                name("p"),
                random.nextBoolean() ? HashAlgoVersion.V1 : HashAlgoVersion.V2,
                SlotTable.SLOTS_MIN << random.nextInt(3),
                new HealthMonitor(
                        check(),
                        rarely() ? OptionalInt.of(random.nextInt(1, 65_536)) : OptionalInt.empty(),
                        interval,
                        Duration.ofMillis(random.nextLong(10, interval.toMillis() + 1)),
                        random.nextInt(1, 5),
                        random.nextInt(1, 5),
                        Duration.ofMillis(random.nextLong(10, interval.toMillis() + 1))),
                guards(),
                Optional.empty(),
                random.nextInt(1, 4),
                meta());
    }

    private MonitorCheck check() {
        ProbeBytes bytes = ProbeBytes.of(new byte[] {(byte) random.nextInt(), 0, -1});
        return switch (random.nextInt(4)) {
            case 0 -> new MonitorCheck.Http("/health");
            case 1 -> new MonitorCheck.Tcp();
            case 2 -> new MonitorCheck.Udp(bytes, rarely() ? ProbeBytes.NONE : bytes, Silence.FAILURE);
            default -> new MonitorCheck.Udp(bytes, ProbeBytes.NONE, Silence.WEAKLY_UP);
        };
    }

    private PoolGuards guards() {
        int limit = random.nextInt(2, 10_000);
        return new PoolGuards(
                random.nextInt(1, 101),
                random.nextInt(1, 101),
                random.nextInt(101),
                new Flapping(limit, random.nextInt(limit), Duration.ofMillis(random.nextInt(1_000, 100_000))),
                Duration.ofMillis(random.nextInt(60_001)),
                Duration.ofMillis(random.nextInt(60_001)));
    }

    private Command override(ClusterState state, String pool) {
        long generation = state.model()
                .pool(pool)
                .map(it -> state.generationNumber(it.id()))
                .orElse(0L);
        var guards = new TreeSet<>(List.of(pick(Guard.values()), Guard.FLAPPING));
        return new Command.OverrideGuards(pool, new GuardOverride(guards, generation + (rarely() ? 1 : 0)));
    }

    private IpFamily family() {
        return rarely() ? IpFamily.IPV6 : IpFamily.IPV4;
    }

    private Optional<StaticMac> mac() {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(new StaticMac(0x0200_0000_0000L + random.nextInt(3)));
    }

    private Member member() {
        IpAddress address = address(family(), random.nextInt(NAMES), random.nextInt(1, 4));
        MemberKey key = new MemberKey(address, rarely() ? 8081 : 8080);
        return new Member(0, 0, 0, name("m"), key, random.nextInt(TableMember.WEIGHT_MAX + 1), AdminState.ENABLED)
                .withMeta(meta());
    }

    private Listener listener() {
        String vip = family() == IpFamily.IPV4 ? "192.0.2.%d" : "2001:db8::%d";
        IpAddress inside = address(family(), 0, 99);
        return new Listener(
                        0,
                        name("l"),
                        rarely() ? inside : IpAddress.parse(vip.formatted(random.nextInt(1, 4))),
                        traffic(),
                        0)
                .withWhenEmpty(rarely() ? policy() : new EmptyPolicy.Drop())
                .withLoadBalancer(labelling.nextInt(3) == 0 ? Optional.of(owner()) : Optional.empty())
                .withMeta(meta());
    }

    private EmptyPolicy policy() {
        return switch (random.nextInt(5)) {
            case 0 -> new EmptyPolicy.FailOpen();
            case 1 -> new EmptyPolicy.Withdraw();
            case 2 -> new EmptyPolicy.FallbackPool(name("p"));
            case 3 -> new EmptyPolicy.Reject();
            default -> new EmptyPolicy.Drop();
        };
    }

    private Traffic traffic() {
        Protocol protocol = pick(Protocol.values());
        int first = random.nextInt(1, 100);
        return switch (random.nextInt(6)) {
            case 0 -> new Traffic.Everything();
            case 1 -> new Traffic.AllPorts(protocol);
            case 2 ->
                new Traffic.Ports(protocol, new PortRange(first, first + random.nextInt(50)), OptionalInt.empty());
            case 3 -> new Traffic.Ports(protocol, new PortRange(first, first), OptionalInt.of(8000 + first));
            default -> Traffic.port(protocol, 80);
        };
    }

    private Command generation(ClusterState state) {
        int pool = random.nextInt(state.lastIds().pool() + 2);
        var weights = new TreeMap<Integer, Integer>();
        state.model().membersOf(pool).forEach(member -> weights.put(member.id(), random.nextInt(-1, 50)));
        return new Command.CommitGeneration(
                pool,
                state.generationNumber(pool) + (rarely() ? random.nextInt(-1, 3) : 1),
                state.revision() + (rarely() ? random.nextInt(-1, 2) : 0),
                weights,
                SlotTable.build(HashAlgoVersion.V1, 1, SlotTable.SLOTS_MIN, List.of())
                        .digest(),
                "reason " + random.nextInt(),
                pick(GenerationCause.values()),
                rarely() ? Footing.PREVIOUS : Footing.CONFIGURED,
                evidence());
    }

    private List<Evidence> evidence() {
        List<Evidence> evidence = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            evidence.add(new Evidence(
                    i,
                    new NodeId("n" + i),
                    random.nextBoolean() ? Health.UP : Health.DOWN,
                    Duration.ofNanos(random.nextLong(1L << 40)),
                    "detail ".repeat(random.nextInt(40))));
        }
        return evidence;
    }

    private Command service() {
        var staying = new TreeSet<NodeId>();
        for (int i = 1; i <= 3; i++) {
            if (random.nextBoolean()) {
                staying.add(new NodeId("n" + i));
            }
        }
        return new Command.SetService(
                new NodeId("n" + random.nextInt(1, 4)),
                random.nextBoolean() ? Command.Service.IN : Command.Service.OUT,
                "reason " + random.nextInt(),
                staying);
    }

    private static IpAddress address(IpFamily family, int third, int last) {
        return IpAddress.parse((family == IpFamily.IPV4 ? "10.20.%d.%d" : "fd00:20:%d::%d").formatted(third, last));
    }
}
