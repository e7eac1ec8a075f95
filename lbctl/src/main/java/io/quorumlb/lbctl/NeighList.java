package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListNeighboursRequest;
import io.quorumlb.proto.v1.ListNeighboursResponse;
import io.quorumlb.proto.v1.Neighbour;
import io.quorumlb.proto.v1.NeighbourSource;
import io.quorumlb.proto.v1.NeighbourState;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows where a node sends packets for members and next hops to. */
@Command(
        description =
                "Show where the answering node sends packets for members and next hops to; choose it by --endpoints.")
final class NeighList implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    NeighList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListNeighboursRequest.getDefaultInstance();
        session.show(stub -> stub.listNeighbours(request), NeighList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListNeighboursResponse response, Page page) {
        Table table = new Table(
                "NODE", "INTERFACE", "ADDRESS", "MAC", "SOURCE", ">SINCE", ">HEARD", "STATE", "OTHER MAC", "MEMBERS");
        response.getNeighboursList()
                .forEach(neighbour -> table.row(
                        Cell.of(response.getAnsweredBy()),
                        Cell.of(neighbour.getInterface()),
                        Cell.of(neighbour.getAddress()),
                        Cell.of(neighbour.getMac()),
                        Cell.of(source(neighbour)),
                        Cell.of(neighbour.getMac().isEmpty() ? "" : Age.ofMillis(neighbour.getSinceMillis())),
                        Cell.of(neighbour.hasConfirmedMillis() ? Age.ofMillis(neighbour.getConfirmedMillis()) : ""),
                        state(neighbour),
                        Cell.of(neighbour.getOtherMac()),
                        Cell.of(String.join(", ", neighbour.getMembersList()))));
        page.table(table);
    }

    private static String source(Neighbour neighbour) {
        return neighbour.getSourceValue() == 0
                ? ""
                : EnumWord.lower(NeighbourSource.getDescriptor(), neighbour.getSourceValue());
    }

    private static Cell state(Neighbour neighbour) {
        Cell.Tone tone = switch (neighbour.getState()) {
            case NEIGHBOUR_STATE_REACHABLE -> Cell.Tone.GOOD;
            case NEIGHBOUR_STATE_SILENT -> Cell.Tone.DOUBTFUL;
            default -> Cell.Tone.BAD;
        };
        return Cell.of(EnumWord.upper(NeighbourState.getDescriptor(), neighbour.getStateValue()))
                .toned(tone);
    }
}
