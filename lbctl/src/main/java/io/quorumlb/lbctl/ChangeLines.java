package io.quorumlb.lbctl;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.ChangeKind;
import io.quorumlb.proto.v1.ClusterEvent;
import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.GenerationEvent;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.SlotFunction;
import io.quorumlb.proto.v1.TimedMember;
import io.quorumlb.proto.v1.WatchResponse;
import java.time.Instant;
import java.util.List;

/** Writes committed changes, each event by itself: a line, or an object of its log entry with that event alone. */
final class ChangeLines {
    private final Console console;
    private final OutputFormat format;

    ChangeLines(Console console, OutputFormat format) {
        this.console = console;
        this.format = format;
    }

    /** Writes what one log entry changed. */
    void write(CommittedChange entry) {
        for (ClusterEvent event : entry.getChange().getEventsList()) {
            switch (format) {
                case TABLE, WIDE -> console.out().println(line(entry, event));
                case JSON -> console.out().println(json(alone(entry, event)));
                case YAML -> {
                    console.out().println("---");
                    new YamlOutput(console).print(alone(entry, event), (_, _) -> {});
                }
            }
        }
    }

    private static CommittedChange alone(CommittedChange entry, ClusterEvent event) {
        WatchResponse change =
                entry.getChange().toBuilder().clearEvents().addEvents(event).build();
        return entry.toBuilder().setChange(change).build();
    }

    private static String json(CommittedChange change) {
        try {
            return JsonFormat.printer()
                    .alwaysPrintFieldsWithNoPresence()
                    .omittingInsignificantWhitespace()
                    .print(change);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("only Any can fail to print, and no event has one", e);
        }
    }

    /** Returns time, index, kind, object and what became of it. */
    private static String line(CommittedChange entry, ClusterEvent event) {
        String time = Instant.ofEpochMilli(entry.getAppliedMillis()).toString();
        return "%s %s %s"
                .formatted(time, Long.toUnsignedString(entry.getChange().getIndex()), text(event));
    }

    private static String text(ClusterEvent event) {
        return switch (event.getEventCase()) {
            case SEGMENT ->
                "segment %s %s"
                        .formatted(
                                event.getSegment().getSegment().getName(),
                                word(event.getSegment().getKind()));
            case POOL ->
                "pool %s %s"
                        .formatted(
                                event.getPool().getPool().getName(),
                                word(event.getPool().getKind()));
            case MEMBER ->
                member(event.getMember().getMember(), word(event.getMember().getKind()));
            case LISTENER ->
                "listener %s %s"
                        .formatted(
                                event.getListener().getListener().getName(),
                                word(event.getListener().getKind()));
            case GENERATION -> generation(event.getGeneration());
            case EMPTINESS ->
                "emptiness %s %s"
                        .formatted(
                                event.getEmptiness().getPool(),
                                event.getEmptiness().getEmpty() ? "counts as empty" : "no longer counts as empty");
            case SERVICE ->
                "service %s %s"
                        .formatted(
                                event.getService().getNode(),
                                event.getService().getInService()
                                        ? "in service"
                                        : "out of service: "
                                                + event.getService().getReason());
            case GATEWAY ->
                "gateway segment %d, home %s: %s answers"
                        .formatted(
                                event.getGateway().getSegmentId(),
                                event.getGateway().getHome(),
                                event.getGateway().getOwner());
            case SLOT_FUNCTION ->
                "slot-function cluster " + EnumWord.lower(SlotFunction.getDescriptor(), event.getSlotFunctionValue());
            case LOAD_BALANCER ->
                "lb %s %s"
                        .formatted(
                                event.getLoadBalancer().getLoadBalancer().getName(),
                                word(event.getLoadBalancer().getKind()));
            case TIMERS -> timers(event.getTimers());
            case EVENT_NOT_SET -> "unknown - an event that this lbctl does not know: use one of the node's version";
        };
    }

    private static String timers(TimedMember timed) {
        List<String> phrases = TimersText.phrases(timed.getTimers());
        return "timers %s/%s %s"
                .formatted(
                        timed.getPool(),
                        timed.getMember(),
                        phrases.isEmpty() ? "nothing is to happen by time" : String.join("; ", phrases));
    }

    private static String member(Member member, String what) {
        return "member %s/%s %s: weight %d, %s"
                .formatted(
                        member.getPool(),
                        member.getName(),
                        what,
                        member.getWeight(),
                        EnumWord.lower(AdminState.getDescriptor(), member.getAdminValue()));
    }

    private static String generation(GenerationEvent generation) {
        return "generation %s %s: %d of %d members, %s"
                .formatted(
                        generation.getPool(),
                        Long.toUnsignedString(generation.getNumber()),
                        generation.getEligible(),
                        generation.getMembers(),
                        generation.getReason());
    }

    private static String word(ChangeKind kind) {
        return EnumWord.lower(ChangeKind.getDescriptor(), kind.getNumber());
    }
}
