package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreatePoolResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.PoolGuards;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a pool. */
@Command(description = "Create a pool.")
final class PoolCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "1..63 of a-z, 0-9 and -.")
    private String name = "";

    @Option(names = "--algorithm", paramLabel = "N", description = "Version of the hash algorithm, 1 or 2. Default: 2.")
    private String algorithm = "2";

    @Option(
            names = "--slots",
            paramLabel = "M",
            converter = CountConverter.class,
            description = "Number of slots, a power of two in 256..65536. Default: 1024.")
    private int slots = 1024;

    @Option(
            names = "--min-eligible",
            paramLabel = "N",
            converter = CountConverter.class,
            description =
                    "Once no member takes traffic, so many must until the pool no longer counts as empty, or all that"
                            + " are enabled if these are fewer; 1..65535. Default: 1.")
    private Optional<Integer> minEligible = Optional.empty();

    @Mixin
    private final MonitorOptions monitor = new MonitorOptions();

    @Mixin
    private final GuardOptions guards = new GuardOptions();

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    PoolCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Pool.Builder pool = Pool.newBuilder()
                .setName(name)
                .setAlgorithm(EnumWord.parse(
                        HashAlgorithm.values(), algorithm.startsWith("v") ? algorithm : "v" + algorithm, "--algorithm"))
                .setSlots(slots)
                .setMonitor(monitor.monitor())
                .putAllLabels(labels.labels());
        minEligible.ifPresent(pool::setMinEligible);
        if (!guards.guards().equals(PoolGuards.getDefaultInstance())) {
            pool.setGuards(guards.guards());
        }
        var request = CreatePoolRequest.newBuilder().setPool(pool).build();
        return session.writeProvable(
                        wait.level(WaitLevel.COMMITTED),
                        stub -> stub.createPool(request),
                        name,
                        CreatePoolResponse::getRevision,
                        "pool " + name + " created",
                        (response, page) -> page.line("pool %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }
}
