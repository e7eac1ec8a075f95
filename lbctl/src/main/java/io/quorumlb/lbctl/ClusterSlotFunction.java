package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetSlotFunctionRequest;
import io.quorumlb.proto.v1.SlotFunction;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Chooses the hash that TCP connections get their slots by. */
@Command(
        description = "Choose the hash that TCP connections get their slots by, on all nodes at once. Most established "
                + "connections move to another member and break.")
final class ClusterSlotFunction implements Callable<Integer> {
    private final Session session;

    @Parameters(
            paramLabel = "FUNCTION",
            description = "multipath: works everywhere, one datapath entry for each connection. dp-hash: at most one "
                    + "for each slot of a listener; refused unless every node's switch has proven it.")
    private String function = "";

    /** Creates the command for one session. */
    ClusterSlotFunction(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = SetSlotFunctionRequest.newBuilder()
                .setSlotFunction(EnumWord.parse(SlotFunction.values(), function.replace('-', '_'), "FUNCTION"))
                .build();
        return session.write(
                        stub -> stub.setSlotFunction(request),
                        (response, page) -> page.line(
                                "slot function %s committed, revision %d".formatted(function, response.getRevision())))
                .status();
    }
}
