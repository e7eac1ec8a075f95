package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ChangeVerb;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.ObjectChange;
import io.quorumlb.proto.v1.ObjectKind;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.Segment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists in pages, selectors, wide tables, show and set. */
class ObjectCommandsTest {
    private static final ApplyResponse DONE = ApplyResponse.newBuilder()
            .setRevision(18)
            .addChanges(ObjectChange.newBuilder()
                    .setKind(ObjectKind.OBJECT_KIND_POOL)
                    .setName("web")
                    .setVerb(ChangeVerb.CHANGE_VERB_SET)
                    .addDetails("min_eligible 1 -> 2"))
            .build();

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private static ListPoolsResponse pools(String next, String... names) {
        var page = ListPoolsResponse.newBuilder().setRevision(17).setNextPageToken(next);
        for (String name : names) {
            page.addPools(Pool.newBuilder().setName(name).setId(page.getPoolsCount() + 1));
        }
        return page.build();
    }

    @Test
    void aListFollowsItsPages() throws Exception {
        node.answers("ListPools", pools("t1", "a", "b"))
                .answers("ListPools", pools("t2", "c"))
                .answers("ListPools", pools("", "d"));
        Ran ran = Ran.at(node, "-o json pool list -l site=a,!old").endsWith(ExitCode.YES);
        var all = ListPoolsResponse.newBuilder();
        JsonFormat.parser().merge(ran.out(), all);
        assertEquals(
                List.of("a", "b", "c", "d"),
                all.getPoolsList().stream().map(Pool::getName).toList());
        assertEquals("", all.getNextPageToken());
        assertEquals(
                Stream.of("", "t1", "t2")
                        .map(token -> ListPoolsRequest.newBuilder()
                                .setLabelSelector("site=a,!old")
                                .setPageToken(token)
                                .build())
                        .toList(),
                node.requests());
    }

    @Test
    void aListThatDoesNotEndIsGivenUp() {
        node.answers("ListPools", pools("t1", "a"));
        Ran.at(node, "pool list").endsWith(ExitCode.UNKNOWN).says("does not end");
    }

    @Test
    void wideTablesHaveLabelsRevisionAndId() {
        node.answers("ListLoadBalancers", Samples.loadBalancers());
        Ran.at(node, "lb list -o wide").endsWith(ExitCode.YES).writesGolden("lbs-wide.txt");
        node.answers("ListMembers", Samples.members());
        String wide = Ran.at(node, "member list -o wide").out();
        assertTrue(wide.lines().findFirst().orElseThrow().endsWith("LABELS  REVISION  ID"), wide);
    }

    @Test
    void anObjectIsShownWithAllItsFields() {
        node.answers(
                "ListLoadBalancers",
                Samples.loadBalancers().toBuilder().removeLoadBalancers(1).build());
        Ran.at(node, "lb show shop").endsWith(ExitCode.YES).writesGolden("lb.txt");
        node.answers(
                "ListPools",
                Samples.pools().toBuilder()
                        .clearPools()
                        .addPools(Samples.pools().getPools(0))
                        .build());
        Ran.at(node, "pool show web").endsWith(ExitCode.YES).writesGolden("pool.txt");
        node.answers(
                "ListMembers", Samples.members().toBuilder().removeMembers(1).build());
        Ran.at(node, "member show web/be1").endsWith(ExitCode.YES).writesGolden("member.txt");
        assertEquals(
                ListMembersRequest.newBuilder().setPool("web").setName("be1").build(),
                node.requests().getLast());
        node.answers("ListSegments", Samples.segments());
        assertTrue(Ran.at(node, "segment show p2").out().contains("gateways[0].node"));
        node.answers("ListListeners", Samples.listeners());
        assertTrue(Ran.at(node, "listener show www").out().contains("fallback_pool"));
    }

    @Test
    void whatDoesNotExistIsSaid() {
        node.fails("ListPools", Status.NOT_FOUND.withDescription("pool 'wbe' does not exist"));
        Ran.at(node, "pool show wbe")
                .endsWith(ExitCode.NO)
                .says("pool 'wbe' does not exist; list what there is and check the name")
                .writes("");
    }

    private static Pool.Builder web() {
        return Pool.newBuilder()
                .setId(3)
                .setName("web")
                .setSlots(1024)
                .putLabels("site", "a")
                .putLabels("old", "")
                .setMonitor(HealthMonitor.newBuilder()
                        .setType(MonitorType.MONITOR_TYPE_HTTP)
                        .setPath("/health")
                        .setIntervalMillis(1000)
                        .setRise(2)
                        .setFall(3))
                .setGuards(PoolGuards.newBuilder().setMassFailurePercent(50).setPanicPercent(0));
    }

    static Stream<Arguments> sets() {
        return Stream.of(
                set(
                        "pool set web --min-eligible 2 --monitor tcp --rise 4 --panic 30%% --label tier=x --unlabel old",
                        "ListPools",
                        ListPoolsResponse.newBuilder()
                                .setRevision(17)
                                .addPools(web())
                                .build(),
                        """
                        site { pools { id: 3 name: "web" slots: 1024 min_eligible: 2
                          monitor { type: MONITOR_TYPE_TCP interval_millis: 1000 rise: 4 fall: 3 }
                          guards { mass_failure_percent: 50 panic_percent: 30 }
                          labels { key: "site" value: "a" } labels { key: "tier" value: "x" } } }"""),
                set(
                        "member set web/be1 --weight 0 --mac none --label rack=7",
                        "ListMembers",
                        ListMembersResponse.newBuilder()
                                .setRevision(17)
                                .addMembers(Samples.members().getMembers(0).toBuilder())
                                .build(),
                        """
                        site { members { id: 1 pool: "web" name: "be1" address: "10.20.0.2:8080" segment: "p2" weight: 0
                          admin: ADMIN_STATE_ENABLED labels { key: "rack" value: "7" } } }"""),
                set(
                        "listener set www --pool db --hash source-address --when-empty pool=sorry",
                        "ListListeners",
                        ListListenersResponse.newBuilder()
                                .setRevision(17)
                                .addListeners(Listener.newBuilder()
                                        .setName("www")
                                        .setVip("10.99.0.10")
                                        .setPool("web"))
                                .build(),
                        """
                        site { listeners { name: "www" vip: "10.99.0.10" pool: "db" hash: HASH_FIELDS_SOURCE_ADDRESS
                          when_empty: EMPTY_POLICY_FALLBACK_POOL fallback_pool: "sorry" } }"""),
                set(
                        "segment set p2 --gateway n1=10.20.0.250 --label a=b=c",
                        "ListSegments",
                        ListSegmentsResponse.newBuilder()
                                .setRevision(17)
                                .addSegments(Segment.newBuilder()
                                        .setName("p2")
                                        .setPrefix("10.20.0.0/24")
                                        .addGateways(SegmentCreate.gateway("n1=10.20.0.251"))
                                        .addGateways(SegmentCreate.gateway("n2=10.20.0.252")))
                                .build(),
                        """
                        site { segments { name: "p2" prefix: "10.20.0.0/24" gateways { node: "n1" address: "10.20.0.250" }
                          labels { key: "a" value: "b=c" } } }"""),
                set(
                        "lb set shop --state disabled --unlabel site --unlabel tier",
                        "ListLoadBalancers",
                        Samples.loadBalancers().toBuilder()
                                .setRevision(17)
                                .removeLoadBalancers(1)
                                .build(),
                        """
                        site { load_balancers { id: 1 name: "shop" vip: "10.99.0.10" vip6: "fd00:99::10" revision: 7
                          state: LOAD_BALANCER_STATE_DISABLED description: "all that sells" } }"""));
    }

    private static Arguments set(String line, String list, Message present, String asked) {
        var request = ApplyRequest.newBuilder();
        try {
            TextFormat.merge(asked + " options { expected_revision: 17 }", request);
        } catch (TextFormat.ParseException e) {
            throw new AssertionError(e);
        }
        return Arguments.of(line.replace("%%", "%"), list, present, request.build());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sets")
    void setAsksForTheObjectAsItShouldBe(String line, String list, Message present, Message asked) {
        node.answers(list, present).answers("Apply", DONE);
        Ran.at(node, line).endsWith(ExitCode.YES).writes("set pool web: min_eligible 1 -> 2\n1 change, revision 18\n");
        assertEquals(2, node.requests().size());
        assertEquals(asked, node.requests().getLast());
    }

    @Test
    void aSiteFileHasLabels() {
        String text = """
                pools:
                - name: web
                  labels: {site: a, "1": '2', empty: }
                """;
        var site = SiteReader.read("f", text);
        assertEquals(
                Map.of("site", "a", "1", "2", "empty", ""), site.getPools(0).getLabelsMap());
        assertEquals(site, SiteReader.read("written", SiteWriter.write(site)));
        for (String bad : List.of("[a]", "a", "{a: {b: c}}", "{a: [b]}", "{a: b, a: c}", "{[a]: b}")) {
            var failure = assertThrows(
                    CommandFailure.class, () -> SiteReader.read("f", "pools: [{labels: %s}]".formatted(bad)));
            assertTrue(failure.sentence().startsWith("f:1: pools[0].labels"), failure.sentence());
        }
    }
}
