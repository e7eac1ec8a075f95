package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.ChangeKind;
import io.quorumlb.proto.v1.ClusterEvent;
import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.EmptinessEvent;
import io.quorumlb.proto.v1.GatewayEvent;
import io.quorumlb.proto.v1.GenerationEvent;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.ListenerEvent;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberEvent;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.PoolEvent;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.SegmentEvent;
import io.quorumlb.proto.v1.ServiceEvent;
import io.quorumlb.proto.v1.SlotFunction;
import io.quorumlb.proto.v1.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** events and watch. A node that no longer has the next changes ends a watch of a test. */
class FollowCommandsTest {
    private static final String LIST = "ListChanges";
    private static final Status GONE = Status.OUT_OF_RANGE.withDescription("changes after index 9 are no longer kept");
    private static final ListChangesResponse ENDS =
            ListChangesResponse.newBuilder().setSince(3).setIndex(5).build();

    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode();

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    private static CommittedChange change(long index, ClusterEvent... events) {
        return CommittedChange.newBuilder()
                .setAppliedMillis(1_893_553_445_678L + index)
                .setChange(WatchResponse.newBuilder().setIndex(index).addAllEvents(List.of(events)))
                .build();
    }

    private static ListChangesResponse page(long index, CommittedChange... changes) {
        return ListChangesResponse.newBuilder()
                .setIndex(index)
                .addAllChanges(List.of(changes))
                .build();
    }

    private static ClusterEvent service(String node) {
        return ClusterEvent.newBuilder()
                .setService(ServiceEvent.newBuilder().setNode(node).setReason("blind"))
                .build();
    }

    private static ClusterEvent[] oneOfEach() {
        return new ClusterEvent[] {
            ClusterEvent.newBuilder()
                    .setSegment(SegmentEvent.newBuilder()
                            .setKind(ChangeKind.CHANGE_KIND_CREATED)
                            .setSegment(Segment.newBuilder().setName("p2")))
                    .build(),
            ClusterEvent.newBuilder()
                    .setPool(PoolEvent.newBuilder()
                            .setKind(ChangeKind.CHANGE_KIND_CHANGED)
                            .setPool(Pool.newBuilder().setName("web")))
                    .build(),
            ClusterEvent.newBuilder()
                    .setMember(MemberEvent.newBuilder()
                            .setKind(ChangeKind.CHANGE_KIND_CHANGED)
                            .setMember(Member.newBuilder()
                                    .setPool("web")
                                    .setName("be1")
                                    .setWeight(3)
                                    .setAdmin(AdminState.ADMIN_STATE_DRAINED)))
                    .build(),
            ClusterEvent.newBuilder()
                    .setListener(ListenerEvent.newBuilder()
                            .setKind(ChangeKind.CHANGE_KIND_DELETED)
                            .setListener(Listener.newBuilder().setName("web-http")))
                    .build(),
            ClusterEvent.newBuilder()
                    .setGeneration(GenerationEvent.newBuilder()
                            .setPool("web")
                            .setNumber(12)
                            .setEligible(3)
                            .setMembers(4)
                            .setReason("be1 drained"))
                    .build(),
            ClusterEvent.newBuilder()
                    .setEmptiness(EmptinessEvent.newBuilder().setPool("web").setEmpty(true))
                    .build(),
            service("n3"),
            ClusterEvent.newBuilder()
                    .setGateway(GatewayEvent.newBuilder()
                            .setSegmentId(2)
                            .setHome("n1")
                            .setOwner("n2"))
                    .build(),
            ClusterEvent.newBuilder()
                    .setSlotFunction(SlotFunction.SLOT_FUNCTION_DP_HASH)
                    .build(),
            ClusterEvent.getDefaultInstance()
        };
    }

    @Test
    void eventsShowsEachEventThatIsKeptAsALine() {
        first.answers(LIST, ENDS).answers(LIST, page(5, change(4, oneOfEach()), change(5, service("n1"))));
        Ran.at(first, "events").endsWith(ExitCode.YES).writesGolden("events.txt");
        assertEquals(
                List.<Message>of(
                        ListChangesRequest.getDefaultInstance(),
                        ListChangesRequest.newBuilder().setAfterIndex(3).build()),
                first.requests());
    }

    @Test
    void eventsGoesOnUntilAllIsTold() {
        first.answers(LIST, ENDS)
                .answers(LIST, page(4, change(4, service("n1"))))
                .answers(LIST, page(5, change(5, service("n2"))));
        assertEquals(
                2, Ran.at(first, "events").endsWith(ExitCode.YES).out().lines().count());
    }

    @Test
    void anEmptyJournalHasNoEvents() {
        first.answers(
                LIST, ListChangesResponse.newBuilder().setSince(9).setIndex(9).build());
        Ran.at(first, "events").endsWith(ExitCode.YES).writes("");
    }

    @Test
    void jsonIsAnObjectALineWithOneEvent() throws Exception {
        CommittedChange both = change(4, service("n1"), service("n2"));
        first.answers(LIST, ENDS).answers(LIST, page(5, both));
        List<CommittedChange> read = new ArrayList<>();
        for (String line : Ran.at(first, "-o json events")
                .endsWith(ExitCode.YES)
                .out()
                .lines()
                .toList()) {
            var parsed = CommittedChange.newBuilder();
            JsonFormat.parser().merge(line, parsed);
            read.add(parsed.build());
        }
        assertEquals(List.of(change(4, service("n1")), change(4, service("n2"))), read);
    }

    @Test
    void yamlIsADocumentForEachEvent() {
        first.answers(LIST, ENDS).answers(LIST, page(5, change(4, service("n1"), service("n2"))));
        String yaml = Ran.at(first, "-o yaml events").endsWith(ExitCode.YES).out();
        int documents = 0;
        for (Object _ : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
            documents++;
        }
        assertEquals(2, documents, yaml);
    }

    private static ListChangesRequest waiting(long after) {
        return ListChangesRequest.newBuilder()
                .setAfterIndex(after)
                .setWaitMillis(10_000)
                .build();
    }

    @Test
    void watchBeginsNowAndGoesOnWhereItWas() {
        first.answers(LIST, ENDS)
                .answers(LIST, page(7, change(6, service("n1")), change(7, service("n2"))))
                .answers(LIST, page(9))
                .fails(LIST, GONE);
        Ran ran = Ran.at(first, "watch").endsWith(ExitCode.NO).says("no longer kept");
        assertEquals(
                List.of(
                        "2030-01-02T03:04:05.684Z 6 service n1 out of service: blind",
                        "2030-01-02T03:04:05.685Z 7 service n2 out of service: blind"),
                ran.out().lines().toList());
        assertEquals(
                List.<Message>of(ListChangesRequest.getDefaultInstance(), waiting(5), waiting(7), waiting(9)),
                first.requests());
    }

    @Test
    void watchBeginsAfterAnIndex() {
        first.answers(LIST, page(7, change(7, service("n1")))).fails(LIST, GONE);
        Ran.at(first, "watch --since 6").endsWith(ExitCode.NO);
        assertEquals(List.<Message>of(waiting(6), waiting(7)), first.requests());
    }

    @Test
    void watchGoesOnAtTheNextEndpointAfterABreak() {
        first.answers(LIST, page(7, change(7, service("n1")))).breaksOff(LIST);
        second.answers(LIST, page(8, change(8, service("n2")))).fails(LIST, GONE);
        Ran ran = Ran.line("--endpoints %s,%s watch --since 6".formatted(first.endpoint(), second.endpoint()))
                .endsWith(ExitCode.NO)
                .says("asking the next node");
        assertEquals(2, ran.out().lines().count());
        assertEquals(List.<Message>of(waiting(7), waiting(8)), second.requests());
    }

    @Test
    void watchTriesAgainUntilItsTimeIsOver() {
        first.answers(LIST, page(7, change(7, service("n1")))).breaksOff(LIST);
        Ran.at(first, "watch --since 6 --timeout 700ms")
                .endsWith(ExitCode.UNKNOWN)
                .says("trying again after index 7")
                .says("no node could answer");
    }

    @Test
    void anIndexIsANumber() {
        Ran.line("watch --since now").endsWith(ExitCode.USAGE).says("'now' is not a whole number");
    }
}
