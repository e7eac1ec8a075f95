package io.quorumlb.lbctl;

import com.google.protobuf.Message;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.Function;

/** One run of one command: its options, the cluster it talks to and where it writes. */
final class Session {
    private final GlobalOptions options;
    private final Console console;

    /** Creates the session; options are read when the command runs, after they are parsed. */
    Session(GlobalOptions options, Console console) {
        this.options = options;
        this.console = console;
    }

    /** Asks, shows the answer and returns it. */
    <R extends Message> R show(Function<ControlServiceBlockingStub, R> call, View<? super R> view) {
        return showAll(Paged.single(call), view);
    }

    /** Asks for all pages of a list, shows them as one answer and returns it. */
    <R extends Message> R showAll(Paged<R> list, View<? super R> view) {
        if (options.interval().isPresent()) {
            return new Redrawing(console, options).show(list, view);
        }
        try (Control control = connect(new Budget(options.timeout()))) {
            R all = list.all(control::read);
            output().print(all, view);
            return all;
        }
    }

    /**
     * Reads an object, asks for it otherwise as one change, and shows what was changed.
     *
     * @param wanted makes the change of what was read; it says from which revision on
     */
    <R extends Message> ExitCode change(
            Function<ControlServiceBlockingStub, R> read, Function<R, ApplyRequest> wanted) {
        return readAndWrite(read, present -> {
            ApplyRequest request = wanted.apply(present);
            return new Write<ApplyResponse>(stub -> stub.apply(request), ApplyView.DONE);
        });
    }

    /**
     * A write and how people see its answer.
     *
     * @param call makes it
     * @param view shows the answer
     */
    record Write<W>(Function<ControlServiceBlockingStub, W> call, View<? super W> view) {}

    /**
     * Reads, writes what follows from it, and shows the answer.
     *
     * @param wanted makes the write of what was read
     */
    <R extends Message, W extends Message> ExitCode readAndWrite(
            Function<ControlServiceBlockingStub, R> read, Function<R, Write<W>> wanted) {
        try (Control control = connect(new Budget(options.timeout()))) {
            Write<W> write = wanted.apply(control.read(read));
            output().print(control.write(write.call()), write.view());
            return ExitCode.YES;
        }
    }

    /** Shows what was computed here; asks nobody. */
    <R extends Message> void print(R response, View<? super R> view) {
        output().print(response, view);
    }

    /** Returns what the options say of how a cluster is reached. */
    ConnectionSettings given() {
        return options.given();
    }

    /** Returns the contexts that are kept. */
    Contexts contexts() {
        return ContextFile.read(console.environment());
    }

    /** Returns the name of the context that is asked for, or else the current one. */
    Optional<String> context(Contexts contexts) {
        return options.context(console.environment()).or(contexts::current);
    }

    /** Keeps the contexts, and says where. */
    void keep(Contexts contexts, String done) {
        console.say("%s in %s".formatted(done, ContextFile.write(contexts, console.environment())));
    }

    /** Writes text out as it is. */
    void copy(String text) {
        console.out().print(text);
    }

    /** Writes, shows the answer, and returns what the command ends with. */
    <R extends Message> ExitCode write(Function<ControlServiceBlockingStub, R> call, View<? super R> view) {
        try (Control control = connect(new Budget(options.timeout()))) {
            output().print(control.write(call), view);
            return ExitCode.YES;
        }
    }

    /** Writes as {@link #writeProvable(WaitLevel, Function, String, Function, String, View)}; shows what was done. */
    <R extends Message> ExitCode writeProvable(
            WaitLevel level,
            Function<ControlServiceBlockingStub, R> call,
            String pool,
            Function<R, Long> revision,
            String done) {
        return writeProvable(
                level,
                call,
                pool,
                revision,
                done,
                (response, page) -> page.line("%s, revision %d".formatted(done, revision.apply(response))));
    }

    /** Writes and waits as far as the level asks for; without a proof to wait for it shows the answer. */
    <R extends Message> ExitCode writeProvable(
            WaitLevel level,
            Function<ControlServiceBlockingStub, R> call,
            String pool,
            Function<R, Long> revision,
            String done,
            View<? super R> view) {
        return switch (level) {
            case INSTALLED -> writeAndProve(call, pool, revision, done);
            case NONE, COMMITTED -> write(call, view);
        };
    }

    /**
     * Writes, waits until the nodes have proven what was written, and shows who has.
     *
     * @param pool name of the pool whose generation is the proof
     * @param revision reads the revision of the write from its answer
     * @param done says what was written, for people
     */
    private <R extends Message> ExitCode writeAndProve(
            Function<ControlServiceBlockingStub, R> call, String pool, Function<R, Long> revision, String done) {
        Budget budget = new Budget(options.timeout());
        try (Control control = connect(budget)) {
            long written = revision.apply(control.write(call));
            console.say("%s, committed with revision %d".formatted(done, written));
            return prove(control, budget, AwaitedProof.ofRevision(pool, written));
        }
    }

    /**
     * Writes, shows the answer, waits until the nodes have proven what was written of each pool, and shows who has.
     *
     * @param pools reads from the answer the names of the pools whose generations are the proof
     * @param revision reads the revision of the write from its answer
     */
    <R extends Message> ExitCode writeAndProveAll(
            Function<ControlServiceBlockingStub, R> call,
            Function<R, SortedSet<String>> pools,
            Function<R, Long> revision,
            View<? super R> view) {
        Budget budget = new Budget(options.timeout());
        try (Control control = connect(budget)) {
            R response = control.write(call);
            output().print(response, view);
            ExitCode worst = ExitCode.YES;
            for (String pool : pools.apply(response)) {
                ExitCode ended = prove(control, budget, AwaitedProof.ofRevision(pool, revision.apply(response)));
                worst = ended.status() > worst.status() ? ended : worst;
            }
            return worst;
        }
    }

    /** Waits until the nodes have proven a pool's table, and shows who has. */
    ExitCode prove(AwaitedProof awaited) {
        Budget budget = new Budget(options.timeout());
        try (Control control = connect(budget)) {
            return prove(control, budget, awaited);
        }
    }

    private ExitCode prove(Control control, Budget budget, AwaitedProof awaited) {
        var proof = new InstallWait(control, budget, console).await(awaited);
        output().print(proof, new ProofView(awaited.pool()));
        return ProofView.exitCode(proof);
    }

    /** Follows committed changes and writes what each log entry changed as it comes. */
    ExitCode follow(Function<ChangeFollower, ExitCode> work) {
        try (Control control = connect(new Budget(options.timeout()))) {
            var lines = new ChangeLines(console, options.output());
            return work.apply(new ChangeFollower(control, console, options.timeout(), lines::write));
        }
    }

    /** Returns the progress of work that is done here. */
    Progress progress(String what) {
        return new Progress(console, what);
    }

    private Control connect(Budget budget) {
        if (options.interval().isPresent()) {
            throw new CommandFailure(ExitCode.USAGE, "--watch is for commands that only show: leave it out here");
        }
        return new Control(options.connection(console.environment()), budget, console);
    }

    private Output output() {
        return switch (options.output()) {
            case TABLE -> new TextOutput(console, Page.Width.NORMAL);
            case WIDE -> new TextOutput(console, Page.Width.WIDE);
            case JSON -> new JsonOutput(console);
            case YAML -> new YamlOutput(console);
        };
    }
}
