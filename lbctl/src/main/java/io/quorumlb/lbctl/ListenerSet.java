package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HashFields;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.Site;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what can be changed of a listener, as one change. */
@Command(
        description = "Change a listener: pool, hash, what becomes of packets while it is empty, labels."
                + " What is not given stays.")
final class ListenerSet implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the listener.")
    private String name = "";

    @Option(names = "--pool", paramLabel = "POOL", description = "Pool that serves it.")
    private Optional<String> pool = Optional.empty();

    @Option(
            names = "--hash",
            paramLabel = "FIELDS",
            description = "What of a packet decides its member: five-tuple, source-address or addresses (both).")
    private Optional<String> hash = Optional.empty();

    @Option(
            names = "--when-empty",
            paramLabel = "POLICY",
            description = "While no member of the pool takes traffic. " + WhenEmpty.WORDS)
    private Optional<String> whenEmpty = Optional.empty();

    @Mixin
    private final LabelChange labels = new LabelChange();

    /** Creates the command for one session. */
    ListenerSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = changed(Listener.getDefaultInstance());
        var request = ListListenersRequest.newBuilder().setName(name).build();
        return session.change(
                        stub -> stub.listListeners(request),
                        (ListListenersResponse present) -> Change.of(
                                Site.newBuilder()
                                        .addAllListeners(present.getListenersList().stream()
                                                .map(this::changed)
                                                .toList()),
                                present.getRevision()))
                .status();
    }

    private Listener changed(Listener before) {
        Listener.Builder listener = before.toBuilder().clearLabels().putAllLabels(labels.of(before.getLabelsMap()));
        pool.ifPresent(listener::setPool);
        hash.map(word -> EnumWord.parse(HashFields.values(), word.replace('-', '_'), "--hash"))
                .ifPresent(listener::setHash);
        whenEmpty
                .map(word -> WhenEmpty.parse(word, "--when-empty"))
                .ifPresent(wanted -> listener.setWhenEmpty(wanted.policy()).setFallbackPool(wanted.pool()));
        return listener.build();
    }
}
