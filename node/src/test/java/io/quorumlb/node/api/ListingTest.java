package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateLoadBalancerRequest;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.DeleteLoadBalancerRequest;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListLoadBalancersRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.LoadBalancer;
import io.quorumlb.proto.v1.LoadBalancerState;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.ObjectKind;
import io.quorumlb.proto.v1.PoolMonitor;
import io.quorumlb.proto.v1.Protocol;
import io.quorumlb.proto.v1.SetHealthMonitorRequest;
import io.quorumlb.proto.v1.SetLabelsRequest;
import io.quorumlb.proto.v1.SetLoadBalancerRequest;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists, labels, revisions of objects and load balancers over the API. */
class ListingTest {
    private static final int MEMBERS = 25;

    private final LoneNode node = LoneNode.leading();

    ListingTest() throws IOException {
        var site = io.quorumlb.proto.v1.Site.newBuilder()
                .addSegments(Site.SEGMENT.getSegment())
                .addPools(Site.POOL.getPool());
        for (int i = 0; i < MEMBERS; i++) {
            site.addMembers(member(i).putLabels("parity", i % 2 == 0 ? "even" : "odd"));
        }
        var _ = node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
    }

    @AfterEach
    void close() {
        node.close();
    }

    /** Two digits: a site is applied by name, and ids follow. */
    private static String named(int number) {
        return "be%02d".formatted(number);
    }

    private static Member.Builder member(int number) {
        return Member.newBuilder()
                .setName(named(number))
                .setPool("web")
                .setSegment("p2")
                .setAddress("10.20.0.%d:8080".formatted(number + 2));
    }

    private ListMembersResponse page(ListMembersRequest.Builder request) {
        return node.api().listMembers(request.build());
    }

    private static List<String> names(ListMembersResponse page) {
        return page.getMembersList().stream()
                .map(status -> status.getMember().getName())
                .toList();
    }

    private List<String> all(ListMembersRequest.Builder request) {
        List<String> names = new ArrayList<>();
        ListMembersResponse page = page(request.setPageToken(""));
        names.addAll(names(page));
        while (!page.getNextPageToken().isEmpty()) {
            page = page(request.setPageToken(page.getNextPageToken()));
            assertFalse(page.getMembersList().isEmpty(), "a token leads to something");
            names.addAll(names(page));
        }
        return names;
    }

    private static StatusRuntimeException refused(Code code, String words, Runnable call) {
        StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, call::run);
        assertEquals(code, refused.getStatus().getCode(), refused::getMessage);
        String message = String.valueOf(refused.getStatus().getDescription());
        assertTrue(message.contains(words), message);
        return refused;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 7, 24, 25, 26, 5000, 0})
    void pagesTogetherAreTheList(int size) {
        List<String> expected =
                IntStream.range(0, MEMBERS).mapToObj(ListingTest::named).toList();
        assertEquals(expected, all(ListMembersRequest.newBuilder().setPageSize(size)));
        assertEquals(
                expected, all(ListMembersRequest.newBuilder().setPool("web").setPageSize(size)));
    }

    @Test
    void aSelectorChoosesAcrossPages() {
        var odd = ListMembersRequest.newBuilder().setLabelSelector("parity=odd").setPageSize(5);
        assertEquals(
                IntStream.range(0, MEMBERS)
                        .filter(i -> i % 2 == 1)
                        .mapToObj(ListingTest::named)
                        .toList(),
                all(odd));
        assertEquals(List.of(), all(ListMembersRequest.newBuilder().setLabelSelector("!parity")));
        refused(
                Code.INVALID_ARGUMENT,
                "label_selector: term 2 'x y'",
                () -> page(ListMembersRequest.newBuilder().setLabelSelector("a,x y")));
    }

    @Test
    void whatIsCreatedAndDeletedMeanwhileBreaksNothing() {
        var request = ListMembersRequest.newBuilder().setPageSize(10);
        ListMembersResponse first = page(request);
        // The very member that the page ended with, one of it, and one to come.
        for (String gone : List.of("be09", "be03", "be15")) {
            node.api()
                    .deleteMember(DeleteMemberRequest.newBuilder()
                            .setPool("web")
                            .setMember(gone)
                            .build());
        }
        node.api()
                .createMember(
                        CreateMemberRequest.newBuilder().setMember(member(100)).build());
        List<String> rest = new ArrayList<>();
        for (ListMembersResponse page = first; !page.getNextPageToken().isEmpty(); ) {
            page = page(request.setPageToken(page.getNextPageToken()));
            rest.addAll(names(page));
        }
        List<String> expected = new ArrayList<>(
                IntStream.range(10, MEMBERS).mapToObj(ListingTest::named).toList());
        expected.remove("be15");
        expected.add("be100");
        assertEquals(expected, rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "%%%", "MTAuMDAwMDAwMDA", "=", "ä", "MTA"})
    void aTokenThatIsNoneIsRefused(String token) {
        refused(
                Code.INVALID_ARGUMENT,
                "next_page_token of an answer to the same list",
                () -> page(ListMembersRequest.newBuilder().setPageToken(token)));
    }

    @Test
    void aTokenIsForTheListItCameFrom() {
        String token = page(ListMembersRequest.newBuilder().setPageSize(3)).getNextPageToken();
        for (var request : List.of(
                ListMembersRequest.newBuilder().setPool("web"),
                ListMembersRequest.newBuilder().setLabelSelector("parity"))) {
            refused(Code.INVALID_ARGUMENT, "page_token '", () -> page(request.setPageToken(token)));
        }
        refused(
                Code.INVALID_ARGUMENT,
                "page_token '",
                () -> node.api()
                        .listPools(ListPoolsRequest.newBuilder()
                                .setPageToken(token)
                                .build()));
        refused(
                Code.INVALID_ARGUMENT,
                "page_size 5001 is outside 0..5000; 0 is 1000",
                () -> page(ListMembersRequest.newBuilder().setPageSize(5001)));
    }

    @Test
    void oneObjectIsAskedForByItsName() {
        var be07 = page(ListMembersRequest.newBuilder().setPool("web").setName("be07"));
        assertEquals(List.of("be07"), names(be07));
        refused(
                Code.NOT_FOUND,
                "member 'be99' of pool 'web' does not exist",
                () -> page(ListMembersRequest.newBuilder().setPool("web").setName("be99")));
        refused(
                Code.INVALID_ARGUMENT,
                "pool is empty",
                () -> page(ListMembersRequest.newBuilder().setName("be07")));
        refused(
                Code.NOT_FOUND,
                "segment 'p9' does not exist",
                () -> node.api()
                        .listSegments(
                                ListSegmentsRequest.newBuilder().setName("p9").build()));
        refused(
                Code.NOT_FOUND,
                "load balancer 'lb' does not exist",
                () -> node.api()
                        .listLoadBalancers(ListLoadBalancersRequest.newBuilder()
                                .setName("lb")
                                .build()));
    }

    @Test
    void labelsAreSetOnTheObjectThatWasSeen() {
        long seen = member("be01").getRevision();
        var set = SetLabelsRequest.newBuilder()
                .setKind(ObjectKind.OBJECT_KIND_MEMBER)
                .setName("web/be01")
                .putLabels("rack", "7")
                .setOptions(WriteOptions.newBuilder().setExpectedObjectRevision(seen));
        assertEquals(2, node.api().setLabels(set.build()).getRevision());
        assertEquals(2, member("be01").getRevision());
        assertEquals("7", member("be01").getLabelsOrThrow("rack"));
        assertEquals(1, member("be01").getLabelsCount(), "all it has");
        refused(
                Code.ABORTED,
                "members[web/be01] was last changed by revision 2, 1 was expected",
                () -> node.api().setLabels(set.putLabels("rack", "8").build()));
        refused(
                Code.INVALID_ARGUMENT,
                "label key 'Rack'",
                () -> node.api()
                        .setLabels(set.putLabels("Rack", "8").clearOptions().build()));
        refused(
                Code.INVALID_ARGUMENT,
                "kind is OBJECT_KIND_UNSPECIFIED",
                () -> node.api()
                        .setLabels(SetLabelsRequest.newBuilder().setName("x").build()));
        refused(
                Code.INVALID_ARGUMENT,
                "only a write of one object can have it",
                () -> node.api()
                        .apply(ApplyRequest.newBuilder()
                                .setOptions(WriteOptions.newBuilder().setExpectedObjectRevision(1))
                                .build()));
    }

    private Member member(String name) {
        return page(ListMembersRequest.newBuilder().setPool("web").setName(name))
                .getMembers(0)
                .getMember();
    }

    @ParameterizedTest
    @CsvSource({", 100", "0, 0", "7, 7"})
    void aNewMemberWithoutAWeightHasAHundred(Integer weight, int expected) {
        var wanted = member(100);
        var applied = member(101);
        if (weight != null) {
            wanted.setWeight(weight);
            applied.setWeight(weight);
        }
        node.api()
                .createMember(CreateMemberRequest.newBuilder().setMember(wanted).build());
        node.api()
                .apply(ApplyRequest.newBuilder()
                        .setSite(io.quorumlb.proto.v1.Site.newBuilder().addMembers(applied))
                        .build());
        assertEquals(expected, member("be100").getWeight());
        assertEquals(expected, member("be101").getWeight());
        assertTrue(member("be101").hasWeight());
    }

    @Test
    void aMemberThatExistsKeepsItsWeightUnlessTheSiteSaysOne() {
        var site = io.quorumlb.proto.v1.Site.newBuilder().addMembers(member(3).setWeight(30));
        node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
        site.getMembersBuilder(0).clearWeight().putLabels("new", "");
        node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
        assertEquals(30, member("be03").getWeight());
        assertEquals(1, member("be03").getLabelsCount(), "labels are what the site says");
        site.getMembersBuilder(0).setWeight(0);
        var last = node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
        assertEquals(List.of("weight 30 -> 0"), last.getChanges(0).getDetailsList());
        assertEquals(0, member("be03").getWeight());
    }

    private static HealthMonitor probed() {
        return Site.POOL.getPool().getMonitor();
    }

    @Test
    void monitorsAreListedByTheirPools() {
        for (int i = 0; i < 4; i++) {
            var pool = Site.POOL.getPool().toBuilder().setName("p" + i).putLabels("half", i < 2 ? "first" : "second");
            node.api().createPool(CreatePoolRequest.newBuilder().setPool(pool).build());
        }
        var request = ListHealthMonitorsRequest.newBuilder().setPageSize(2);
        List<String> names = new ArrayList<>();
        ListHealthMonitorsResponse page;
        do {
            page = node.api().listHealthMonitors(request.build());
            page.getMonitorsList().forEach(entry -> names.add(entry.getPool()));
            request.setPageToken(page.getNextPageToken());
        } while (!page.getNextPageToken().isEmpty());
        assertEquals(List.of("web", "p0", "p1", "p2", "p3"), names);
        assertEquals(5, page.getRevision());
        var second = node.api()
                .listHealthMonitors(ListHealthMonitorsRequest.newBuilder()
                        .setLabelSelector("half=second")
                        .build());
        assertEquals(2, second.getMonitorsCount());
        PoolMonitor p2 = node.api()
                .listHealthMonitors(
                        ListHealthMonitorsRequest.newBuilder().setName("p2").build())
                .getMonitors(0);
        assertEquals(
                PoolMonitor.newBuilder()
                        .setPool("p2")
                        .setPoolId(4)
                        .setMonitor(probed())
                        .putLabels("half", "second")
                        .setRevision(4)
                        .build(),
                p2);
        refused(
                Code.NOT_FOUND,
                "pool 'p9' does not exist",
                () -> node.api()
                        .listHealthMonitors(ListHealthMonitorsRequest.newBuilder()
                                .setName("p9")
                                .build()));
    }

    @Test
    void aMonitorIsSetAsAWholeOnThePoolThatWasSeen() {
        var tcp = HealthMonitor.newBuilder()
                .setType(MonitorType.MONITOR_TYPE_TCP)
                .setIntervalMillis(1_000)
                .setTimeoutMillis(500)
                .setRise(2)
                .setFall(3);
        var set = SetHealthMonitorRequest.newBuilder()
                .setPool("web")
                .setMonitor(tcp)
                .setOptions(WriteOptions.newBuilder().setExpectedObjectRevision(1));
        assertEquals(2, node.api().setHealthMonitor(set.build()).getRevision());
        var present = node.api().listHealthMonitors(ListHealthMonitorsRequest.getDefaultInstance());
        assertEquals(
                tcp.setFastIntervalMillis(200).build(), present.getMonitors(0).getMonitor());
        assertEquals(2, present.getMonitors(0).getRevision());
        assertEquals(
                tcp.build(),
                node.api()
                        .listPools(ListPoolsRequest.getDefaultInstance())
                        .getPools(0)
                        .getMonitor());
        refused(
                Code.ABORTED,
                "pools[web] was last changed by revision 2, 1 was expected",
                () -> node.api().setHealthMonitor(set.setMonitor(probed()).build()));
        set.clearOptions();
        assertEquals(
                2,
                node.api().setHealthMonitor(set.setMonitor(tcp).build()).getRevision(),
                "what is so already changes nothing");
        refused(
                Code.INVALID_ARGUMENT,
                "monitor is not set",
                () -> node.api().setHealthMonitor(set.clearMonitor().build()));
        refused(
                Code.INVALID_ARGUMENT,
                "monitor timeout 2000 ms is outside 10..1000 ms",
                () -> node.api()
                        .setHealthMonitor(
                                set.setMonitor(tcp.setTimeoutMillis(2_000)).build()));
        refused(
                Code.NOT_FOUND,
                "pool 'wbe' does not exist",
                () -> node.api()
                        .setHealthMonitor(
                                set.setPool("wbe").setMonitor(probed()).build()));
    }

    private static CreateListenerRequest listener(String name, String owner) {
        return CreateListenerRequest.newBuilder()
                .setListener(Listener.newBuilder()
                        .setName(name)
                        .setLoadBalancer(owner)
                        .setProtocol(Protocol.PROTOCOL_TCP)
                        .setPort(80)
                        .setPool("web"))
                .build();
    }

    @Test
    void aListenerTakesTheVipOfItsLoadBalancer() {
        var api = node.api();
        var shop =
                LoadBalancer.newBuilder().setName("shop").setVip("10.99.0.20").setDescription("the shop");
        assertEquals(
                1,
                api.createLoadBalancer(CreateLoadBalancerRequest.newBuilder()
                                .setLoadBalancer(shop)
                                .build())
                        .getId());
        api.createListener(listener("www", "shop"));
        Listener www =
                api.listListeners(ListListenersRequest.getDefaultInstance()).getListeners(0);
        assertEquals("10.99.0.20", www.getVip());
        assertEquals("shop", www.getLoadBalancer());
        refused(
                Code.NOT_FOUND,
                "load balancer 'stop' does not exist",
                () -> api.createListener(listener("tls", "stop")));
        api.createLoadBalancer(CreateLoadBalancerRequest.newBuilder()
                .setLoadBalancer(LoadBalancer.newBuilder()
                        .setName("both")
                        .setVip("10.99.0.21")
                        .setVip6("fd00:99::21"))
                .build());
        refused(
                Code.INVALID_ARGUMENT,
                "load balancer 'both' has two",
                () -> api.createListener(listener("tls", "both")));
        refused(
                Code.FAILED_PRECONDITION,
                "load balancer 'shop' is used by listener 'www'",
                () -> api.deleteLoadBalancer(
                        DeleteLoadBalancerRequest.newBuilder().setName("shop").build()));
        api.setLoadBalancer(SetLoadBalancerRequest.newBuilder()
                .setName("shop")
                .setState(LoadBalancerState.LOAD_BALANCER_STATE_DISABLED)
                .build());
        LoadBalancer listed = api.listLoadBalancers(
                        ListLoadBalancersRequest.newBuilder().setName("shop").build())
                .getLoadBalancers(0);
        assertEquals(LoadBalancerState.LOAD_BALANCER_STATE_DISABLED, listed.getState());
        assertEquals("the shop", listed.getDescription());
    }

    @Test
    void aSiteWithLoadBalancersComesBackAndKeepsTheirState() {
        var api = node.api();
        var site = io.quorumlb.proto.v1.Site.newBuilder()
                .addLoadBalancers(LoadBalancer.newBuilder()
                        .setName("shop")
                        .setVip("10.99.0.20")
                        .putLabels("tier", "web"))
                .addListeners(listener("www", "shop").getListener());
        api.apply(ApplyRequest.newBuilder().setSite(site).build());
        api.setLoadBalancer(SetLoadBalancerRequest.newBuilder()
                .setName("shop")
                .setState(LoadBalancerState.LOAD_BALANCER_STATE_DISABLED)
                .build());
        assertEquals(
                0, api.apply(ApplyRequest.newBuilder().setSite(site).build()).getChangesCount(), "it keeps its state");
        var exported = api.export(ExportRequest.getDefaultInstance()).getSite();
        assertEquals(
                0,
                api.apply(ApplyRequest.newBuilder()
                                .setSite(exported)
                                .setPrune(true)
                                .build())
                        .getChangesCount());
        site.getLoadBalancersBuilder(0).setVip("10.99.0.22");
        refused(
                Code.INVALID_ARGUMENT,
                "load_balancers[shop]: its VIPs are 10.99.0.20 and cannot become 10.99.0.22",
                () -> api.apply(ApplyRequest.newBuilder().setSite(site).build()));
    }
}
