package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.ObjectMeta;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.site.Site;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.proto.v1.ClusterSnapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Bytes that the version before labels, revisions of objects and absent weights has written. */
class EarlierVersionTest {
    private static final List<String> ENTRIES = List.of(
            "0a25120270321a0c31302e32302e302e302f323422110a026e31120b31302e32302e302e323531",
            "1a33120377656218022080022a0f080218e80720f4032802300338c80132160832103c180020a01f28dc0b30e0d40338c80140b817",
            "2a2012036265311a03776562220270322a0c31302e32302e302e323a383030643801",
            "2a1e12036265301a03776562220270322a0c31302e32302e302e333a38303802",
            "4a1c12037777771a093139322e302e322e31200128503203776562a00101");

    private static final String SNAPSHOT =
            "080512270801120270321a0c31302e32302e302e302f323422110a026e31120b31302e32302e302e3235311a3508011203776562"
                    + "18022080022a0f080218e80720f4032802300338c80132160832103c180020a01f28dc0b30e0d40338c80140b81722280a22"
                    + "080112036265311a03776562220270322a0c31302e32302e302e323a3830306438011001180122260a200802120362653"
                    + "01a03776562220270322a0c31302e32302e302e333a38303802100118012a220a1e080112037777771a093139322e302e32"
                    + "2e31200128503203776562a0010110013001380140024801f80101";

    private static List<Command> commands() {
        var gateways = new TreeMap<NodeId, IpAddress>();
        gateways.put(new NodeId("n1"), IpAddress.parse("10.20.0.251"));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        return List.of(
                new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), gateways)),
                new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 256, monitor)),
                new Command.CreateMember(
                        "web",
                        "p2",
                        new Member(0, 0, 0, "be1", MemberKey.parse("10.20.0.2:80"), 100, AdminState.ENABLED)),
                new Command.CreateMember(
                        "web",
                        "p2",
                        new Member(0, 0, 0, "be0", MemberKey.parse("10.20.0.3:80"), 0, AdminState.DRAINED)),
                new Command.CreateListener(
                        "web", new Listener(0, "www", IpAddress.parse("192.0.2.1"), Protocol.TCP, 80, 0)));
    }

    @Test
    void itsEntriesMeanTheSame() {
        assertEquals(
                commands(),
                ENTRIES.stream()
                        .map(hex ->
                                EntryCodec.parse(ByteBuffer.wrap(HexFormat.of().parseHex(hex))))
                        .toList());
    }

    @Test
    void itsSnapshotIsTheStateWithObjectsOfNoRevision() throws Exception {
        ClusterState state = ClusterState.empty();
        for (Command command : commands()) {
            state = StateMachine.apply(state, command).state();
        }
        ClusterState read =
                SnapshotCodec.fromWire(ClusterSnapshot.parseFrom(HexFormat.of().parseHex(SNAPSHOT)));
        assertEquals(Site.of(state.model()), Site.of(read.model()));
        assertEquals(state.revision(), read.revision());
        assertEquals(state.lastIds(), read.lastIds());
        read.model().members().values().forEach(it -> assertEquals(new ObjectMeta(Labels.NONE, 0), it.meta()));
        var again = StateMachine.apply(read, new Command.SetMemberWeight("web", "be0", 7))
                .state();
        assertEquals(
                List.of(0L, 6L),
                again.model().members().values().stream()
                        .map(it -> it.meta().revision())
                        .toList());
    }
}
