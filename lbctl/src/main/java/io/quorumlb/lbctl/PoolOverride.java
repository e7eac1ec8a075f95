package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Guard;
import io.quorumlb.proto.v1.OverrideGuardsRequest;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets the next generation of a pool pass guards. */
@Command(description = "Let the next generation of a pool pass guards, once: look first with 'lbctl pool plan'.")
final class PoolOverride implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", description = "Name of the pool.")
    private String pool = "";

    @Option(
            names = "--guard",
            paramLabel = "GUARD",
            description = "mass-failure, disruption, flapping, settling or disputed, or a reason code such as "
                    + "mass-failure-held; may be repeated. Default: all.")
    private List<String> guards = List.of();

    @Option(
            names = "--generation",
            paramLabel = "N",
            description = "The generation that you have looked at; refused if there is another by now.")
    private long generation;

    /** Creates the command for one session. */
    PoolOverride(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = OverrideGuardsRequest.newBuilder()
                .setPool(pool)
                .addAllGuards(guards.stream().map(PoolOverride::guard).toList())
                .setBaseGeneration(generation)
                .build();
        return session.write(
                        stub -> stub.overrideGuards(request),
                        (response, page) ->
                                page.line("what follows generation %d of pool %s may pass the guards %s, revision %d"
                                        .formatted(
                                                response.getOverride().getBaseGeneration(),
                                                pool,
                                                response.getOverride().getGuardsValueList().stream()
                                                        .map(PoolOverride::word)
                                                        .collect(Collectors.joining(", ")),
                                                response.getRevision())))
                .status();
    }

    private static Guard guard(String word) {
        String plain = EnumWord.lower(word)
                .replaceFirst("^held-down-", "")
                .replaceFirst("-held$", "")
                .replace('-', '_');
        return EnumWord.parse(Guard.values(), plain, "--guard");
    }

    private static String word(int guard) {
        return EnumWord.lower(Guard.getDescriptor(), guard).replace('_', '-');
    }
}
