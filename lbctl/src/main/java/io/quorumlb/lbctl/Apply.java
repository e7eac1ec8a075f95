package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ChangeVerb;
import io.quorumlb.proto.v1.ObjectChange;
import io.quorumlb.proto.v1.ObjectKind;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes the configuration what a file asks for. */
@Command(
        description =
                "Make the configuration what a file asks for, all of it or nothing. What the file does not have is"
                        + " left alone unless --prune is given.")
final class Apply implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final SiteFile file = new SiteFile();

    @Option(names = "--dry-run", description = "Only show what would happen; exits with 0 also if something would.")
    private boolean dryRun;

    @Option(names = "--prune", description = "Delete what the file does not have.")
    private boolean prune;

    @Option(
            names = "--expected-revision",
            paramLabel = "N",
            converter = RevisionConverter.class,
            description = "Refuse if the configuration is at another revision. Default: any.")
    private Optional<Long> expectedRevision = Optional.empty();

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    Apply(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var options = WriteOptions.newBuilder();
        expectedRevision.ifPresent(options::setExpectedRevision);
        var request = ApplyRequest.newBuilder()
                .setSite(file.read())
                .setDryRun(dryRun)
                .setPrune(prune)
                .setOptions(options)
                .build();
        if (dryRun) {
            var _ = session.show(stub -> stub.apply(request), ApplyView.PLANNED);
            return ExitCode.YES.status();
        }
        ExitCode ended = switch (wait.level(WaitLevel.COMMITTED)) {
            case NONE, COMMITTED -> session.write(stub -> stub.apply(request), ApplyView.DONE);
            case INSTALLED ->
                session.writeAndProveAll(
                        stub -> stub.apply(request), Apply::proving, ApplyResponse::getRevision, ApplyView.DONE);
        };
        return ended.status();
    }

    /** Returns the pools whose generations show that the change is installed. */
    private static SortedSet<String> proving(ApplyResponse response) {
        SortedSet<String> pools = new TreeSet<>();
        for (ObjectChange change : response.getChangesList()) {
            if (change.getKind() == ObjectKind.OBJECT_KIND_MEMBER) {
                pools.add(change.getName()
                        .substring(0, Math.max(0, change.getName().indexOf('/'))));
            }
        }
        response.getChangesList().stream()
                .filter(change -> change.getKind() == ObjectKind.OBJECT_KIND_POOL)
                .filter(change -> change.getVerb() == ChangeVerb.CHANGE_VERB_DELETE)
                .forEach(change -> pools.remove(change.getName()));
        return pools;
    }
}
