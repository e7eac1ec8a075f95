package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.PoolGuards;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say how a pool's table is guarded; one that is not given stays as it is. */
final class GuardOptions {
    @Option(
            names = "--mass-failure",
            paramLabel = "PERCENT",
            converter = PercentConverter.class,
            description =
                    "Eligible weight that a majority may take down within twice the detection time; for more, all "
                            + "fresh voters must agree. 100%% is off. Default: 50%%.")
    private Optional<Integer> massFailure = Optional.empty();

    @Option(
            names = "--max-moved",
            paramLabel = "PERCENT",
            converter = PercentConverter.class,
            description = "Most slots that one change may move without need. 100%% is off. Default: 60%%.")
    private Optional<Integer> movedMax = Optional.empty();

    @Option(
            names = "--panic",
            paramLabel = "PERCENT",
            converter = PercentConverter.class,
            description =
                    "While less of the enabled weight is healthy, all enabled members take traffic. Default: 0%%, "
                            + "which is off.")
    private Optional<Integer> panic = Optional.empty();

    @Option(
            names = "--flap-limit",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Penalty above which a member is held down; each change of its health adds 1000. 0 is off. "
                    + "Default: 4000.")
    private Optional<Integer> flapLimit = Optional.empty();

    @Option(
            names = "--flap-reuse",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Penalty below which it may come back. Default: 1500.")
    private Optional<Integer> flapReuse = Optional.empty();

    @Option(
            names = "--flap-half-life",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time in which the penalty halves, 1s..60m. Default: 60s.")
    private Optional<Duration> flapHalfLife = Optional.empty();

    @Option(
            names = "--min-generation-interval",
            paramLabel = "TIME",
            converter = GuardTimeConverter.class,
            description = "Shortest time between two generations that only health asks for, 0..60s. Default: 200ms.")
    private Optional<Duration> generationInterval = Optional.empty();

    @Option(
            names = "--settle-max",
            paramLabel = "TIME",
            converter = GuardTimeConverter.class,
            description = "Longest time that a new leader waits for a majority of fresh voters, 0..60s. Default: 3s.")
    private Optional<Duration> settleMax = Optional.empty();

    /** Returns what was given. */
    PoolGuards guards() {
        var guards = PoolGuards.newBuilder();
        massFailure.ifPresent(guards::setMassFailurePercent);
        movedMax.ifPresent(guards::setMovedMaxPercent);
        panic.ifPresent(guards::setPanicPercent);
        flapLimit.ifPresent(guards::setFlapLimit);
        flapReuse.ifPresent(guards::setFlapReuse);
        flapHalfLife.ifPresent(time -> guards.setFlapHalfLifeMillis((int) time.toMillis()));
        generationInterval.ifPresent(time -> guards.setGenerationIntervalMillis((int) time.toMillis()));
        settleMax.ifPresent(time -> guards.setSettleMaxMillis((int) time.toMillis()));
        return guards.build();
    }
}
