package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.HashFields;
import io.quorumlb.proto.v1.Listener;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a listener. */
@Command(description = "Create a listener.")
final class ListenerCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "Unique among listeners.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "VIP[:PORT]",
            description = "Where clients connect, for example 10.99.0.10:80, [fd00:99::10]:80, or the address alone.")
    private String vip = "";

    @Mixin
    private final ListenOptions listen = new ListenOptions();

    @Option(
            names = "--lb",
            paramLabel = "NAME",
            description = "Load balancer whose VIP it is. Default: none, it stands alone.")
    private String loadBalancer = "";

    @Option(
            names = "--hash",
            paramLabel = "FIELDS",
            description = "What of a packet decides its member: five-tuple, source-address or addresses (both). "
                    + "Default: five-tuple.")
    private String hash = "five-tuple";

    @Option(
            names = "--when-empty",
            paramLabel = "POLICY",
            description = "While no member of the pool takes traffic. " + WhenEmpty.WORDS + " Default: drop.")
    private Optional<String> whenEmpty = Optional.empty();

    @Option(names = "--pool", paramLabel = "POOL", required = true, description = "Pool that serves it.")
    private String pool = "";

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    ListenerCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        Listener.Builder listener = Listener.newBuilder()
                .setName(name)
                .setPool(pool)
                .setLoadBalancer(loadBalancer)
                .putAllLabels(labels.labels())
                .setHash(EnumWord.parse(HashFields.values(), hash.replace('-', '_'), "--hash"));
        whenEmpty
                .map(word -> WhenEmpty.parse(word, "--when-empty"))
                .ifPresent(wanted -> listener.setWhenEmpty(wanted.policy()).setFallbackPool(wanted.pool()));
        listen.fill(vip, listener);
        var request = CreateListenerRequest.newBuilder().setListener(listener).build();
        return session.write(
                        stub -> stub.createListener(request),
                        (response, page) -> page.line("listener %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }
}
