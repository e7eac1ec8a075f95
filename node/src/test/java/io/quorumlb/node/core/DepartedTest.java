package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DepartedTest {
    private static final int API = 2;

    private final FakeLog log = new FakeLog();

    DepartedTest() {
        Site.configure(log);
        log.operator(new Command.CreatePool(new Pool(0, "api", HashAlgoVersion.V1, 1024, Site.MONITOR)));
    }

    private Model model() {
        return log.state().model();
    }

    private static ServedPool pool(int id, ServedMember... members) {
        SlotTable table = SlotTable.build(HashAlgoVersion.V1, id, 1024, List.of());
        return new ServedPool(id, 1, table.digest(), table, List.of(members));
    }

    private static ServedMember member(int id, String key) {
        MemberKey parsed = MemberKey.parse(key);
        return new ServedMember(id, parsed.address(), parsed.port(), "p2", Optional.empty());
    }

    private static List<Integer> ids(List<ServedPool> pools) {
        List<Integer> ids = new ArrayList<>();
        pools.forEach(pool -> pool.members().forEach(member -> ids.add(member.id())));
        return ids;
    }

    private void listener(String name, String pool, String vip, Traffic traffic) {
        log.operator(new Command.CreateListener(pool, new Listener(0, name, IpAddress.parse(vip), traffic, 0)));
    }

    @Test
    void whatIsConfiguredStays() {
        var pools = List.of(pool(Site.WEB, member(1, "10.20.0.2:8080"), member(2, "10.30.0.2:8080")));
        assertEquals(pools, Departed.without(model(), pools));
    }

    @Test
    void aDepartedMemberServesOnWhileNobodyHasItsReplies() {
        log.operator(new Command.DeleteMember("web", "be1"));
        var pools = List.of(pool(Site.WEB, member(1, "10.20.0.2:8080"), member(2, "10.30.0.2:8080")));
        assertEquals(List.of(1, 2), ids(Departed.without(model(), pools)));
    }

    @Test
    void itGivesWayToOneThatWasConfiguredSince() {
        log.operator(new Command.DeleteMember("web", "be1"));
        listener("api", "api", "10.99.0.20", new Traffic.Everything());
        log.operator(new Command.CreateMember(
                "api", "p2", new Member(0, 0, 0, "be1", MemberKey.parse("10.20.0.2:9000"), 1, AdminState.ENABLED)));
        int created = model().member(API, "be1").orElseThrow().id();
        var pools = List.of(
                pool(Site.WEB, member(1, "10.20.0.2:8080"), member(2, "10.30.0.2:8080")),
                pool(API, member(created, "10.20.0.2:9000")));
        assertEquals(List.of(2, created), ids(Departed.without(model(), pools)));
    }

    @Test
    void ofTwoDepartedOnesTheFirstStays() {
        listener("api", "api", "10.99.0.20", Traffic.port(Protocol.TCP, 80));
        var pools = List.of(pool(Site.WEB, member(91, "10.20.0.9:8080")), pool(API, member(92, "10.20.0.9:8080")));
        assertEquals(List.of(91), ids(Departed.without(model(), pools)));
    }

    @Test
    void oneOfAnotherVersionOfIpHasNoPlace() {
        listener("api", "api", "2001:db8::20", new Traffic.Everything());
        var pools = List.of(pool(API, member(92, "10.20.0.9:8080")));
        assertEquals(List.of(), ids(Departed.without(model(), pools)));
    }
}
