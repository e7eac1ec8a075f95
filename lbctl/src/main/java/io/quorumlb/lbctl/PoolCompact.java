package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.CompactPoolResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes deleted members out of the base of a pool's table. */
@Command(
        description =
                "Take deleted members out of the base of a pool's table. This moves slots of the others: look first "
                        + "with --dry-run.")
final class PoolCompact implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the pool.")
    private String name = "";

    @Option(names = "--dry-run", description = "Only say what would move.")
    private boolean dryRun;

    @Option(
            names = "--moved-max",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Most slots that may move. Default: a quarter of the pool's slots.")
    private int movedMax;

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    PoolCompact(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = CompactPoolRequest.newBuilder()
                .setPool(name)
                .setDryRun(dryRun)
                .setMovedMax(movedMax)
                .build();
        if (dryRun) {
            session.show(stub -> stub.compactPool(request), (response, page) -> page.line(sentence(response)));
            return ExitCode.YES.status();
        }
        return session.writeProvable(
                        wait.level(WaitLevel.INSTALLED),
                        stub -> stub.compactPool(request),
                        name,
                        CompactPoolResponse::getRevision,
                        "pool %s compacted".formatted(name),
                        (response, page) -> page.line(sentence(response)))
                .status();
    }

    private String sentence(CompactPoolResponse response) {
        return "pool %s: %d deleted members %s the base %s, %d slots %s, %d of them needlessly%s"
                .formatted(
                        name,
                        response.getRetiredCount(),
                        dryRun ? "would leave" : "left",
                        response.getRetiredList(),
                        response.getMoved(),
                        dryRun ? "would move" : "moved",
                        response.getCollateral(),
                        dryRun ? "" : ", revision " + response.getRevision());
    }
}
