package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberObservation;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.Suspicion;
import java.util.stream.Collectors;

/** Members, one a row, with what each observer last found and how long ago. */
final class MembersView implements View<ListMembersResponse> {
    @Override
    public void show(ListMembersResponse response, Page page) {
        var table = new ObjectTable(
                page,
                "POOL",
                "MEMBER",
                "ADDRESS",
                "SEGMENT",
                ">WEIGHT",
                ">EFFECTIVE",
                "ADMIN",
                ">SLOTS",
                "OBSERVATIONS");
        response.getMembersList().forEach(status -> {
            Member member = status.getMember();
            Cell admin = Cell.of(EnumWord.lower(AdminState.getDescriptor(), member.getAdminValue()));
            table.row(
                    member.getId(),
                    member.getLabelsMap(),
                    member.getRevision(),
                    Cell.of(member.getPool()),
                    Cell.of(member.getName()),
                    Cell.of(member.getAddress()),
                    Cell.of(member.getSegment()),
                    Cell.of(member.getWeight()),
                    effective(status),
                    member.getAdmin() == AdminState.ADMIN_STATE_DRAINED ? admin.toned(Cell.Tone.DOUBTFUL) : admin,
                    Cell.of(status.getSlots()),
                    Cell.of(status.getObservationsList().stream()
                            .map(MembersView::observation)
                            .collect(Collectors.joining(", "))));
        });
        table.show();
        response.getMembersList()
                .forEach(status -> TimersText.phrases(status.getTimers())
                        .forEach(phrase -> page.line(new Cell(
                                "%s/%s: %s"
                                        .formatted(
                                                status.getMember().getPool(),
                                                status.getMember().getName(),
                                                phrase),
                                Cell.Tone.DOUBTFUL))));
    }

    /** Returns how much of its weight the member takes, and what holds it down. */
    static Cell effective(MemberStatus status) {
        return status.getHeldDown().isEmpty()
                ? Cell.of(status.getEffectiveWeight())
                : new Cell(
                        "%d (held_down: %s)".formatted(status.getEffectiveWeight(), status.getHeldDown()),
                        Cell.Tone.DOUBTFUL);
    }

    /** Returns what one observer has found. */
    static String observation(MemberObservation observation) {
        String detail = observation.getDetail().isEmpty() ? "" : " (" + observation.getDetail() + ")";
        if (observation.getHealth() == Health.HEALTH_UNSPECIFIED) {
            // Not a vote; a new member stays out until enough nodes have one.
            return observation.getObserver() + " down" + detail;
        }
        String health = EnumWord.lower(Health.getDescriptor(), observation.getHealthValue());
        String doubt = observation.getSuspicion() == Suspicion.SUSPICION_SUSPECT ? " suspect" : "";
        return "%s %s%s %s%s"
                .formatted(observation.getObserver(), health, doubt, Age.ofMillis(observation.getAgeMillis()), detail);
    }
}
