package io.quorumlb.lbctl;

import io.quorumlb.lbctl.Attempt.Answered;
import io.quorumlb.lbctl.Attempt.Lost;
import io.quorumlb.lbctl.Attempt.NotDone;
import io.quorumlb.lbctl.Attempt.Refused;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The cluster as seen through a list of nodes: asks the one that answered last, and the next ones if it cannot be
 * reached. A write that may have been done is asked again under the same request id.
 */
final class Control implements AutoCloseable {
    /** Longest wait for one node's greeting while others are left to ask. */
    private static final Duration CONNECT_LIMIT = Duration.ofMillis(1500);

    private final List<NodeLine> lines;
    private final Budget budget;
    private final Console console;
    private int first;

    /** Creates the lines; nothing is sent yet. */
    Control(Connection connection, Budget budget, Console console) {
        this.lines = connection.endpoints().stream()
                .map(endpoint -> new NodeLine(endpoint, connection))
                .toList();
        this.budget = budget;
        this.console = console;
    }

    /**
     * Reads.
     *
     * @throws CommandFailure if the node refused, or none answered within the budget
     */
    <R> R read(Function<ControlServiceBlockingStub, R> call) {
        return ask(call, Kind.READ, budget::remaining);
    }

    /**
     * Reads with a time of its own, whatever is left of the budget.
     *
     * @param limit time for all nodes together
     * @throws CommandFailure if the node refused, or none answered in time
     */
    <R> R readWithin(Duration limit, Function<ControlServiceBlockingStub, R> call) {
        return ask(call, Kind.READ, new Budget(limit)::remaining);
    }

    /**
     * Reads with as much time for each node as it may need to answer.
     *
     * @param each time for one node
     * @throws CommandFailure if the node refused, or none answered in time
     */
    <R> R readEach(Duration each, Function<ControlServiceBlockingStub, R> call) {
        return readWithin(each.multipliedBy(lines.size()), call);
    }

    /**
     * Writes.
     *
     * @throws CommandFailure if it was refused, could not be handed to any node, or its outcome is unknown
     */
    <R> R write(Function<ControlServiceBlockingStub, R> call) {
        RequestIdentity identity = RequestIdentity.unique();
        return ask(stub -> call.apply(stub.withInterceptors(identity)), Kind.WRITE, budget::remaining);
    }

    private enum Kind {
        READ,
        WRITE
    }

    private <R> R ask(Function<ControlServiceBlockingStub, R> call, Kind kind, Supplier<Duration> remaining) {
        List<String> failed = new ArrayList<>();
        boolean lost = false;
        int start = first;
        for (int i = 0; i < lines.size() && remaining.get().isPositive(); i++) {
            int index = (start + i) % lines.size();
            NodeLine line = lines.get(index);
            int left = lines.size() - i;
            Duration share = remaining.get().dividedBy(left);
            Duration connect = left > 1 && share.compareTo(CONNECT_LIMIT) > 0 ? CONNECT_LIMIT : share;
            Supplier<Duration> answer = left == 1 ? remaining : () -> share;
            switch (line.ask(call, connect, answer)) {
                case Answered<R>(R response) -> {
                    first = index;
                    return response;
                }
                case Refused<R>(var status) -> throw StatusSentence.failure(status);
                case NotDone<R>(String reason) -> failed.add(line.endpoint() + " " + reason);
                case Lost<R>(String reason) -> {
                    lost = true;
                    failed.add(line.endpoint() + " " + reason);
                }
            }
            if (left > 1) {
                console.say("%s; asking the next node".formatted(failed.getLast()));
            }
        }
        throw nobodyAnswered(failed, outcome(kind, lost));
    }

    private static String outcome(Kind kind, boolean lost) {
        return switch (kind) {
            case READ -> "";
            case WRITE ->
                lost ? "the write may still be committed: look before you repeat it; " : "nothing was written; ";
        };
    }

    private CommandFailure nobodyAnswered(List<String> failed, String outcome) {
        String who = failed.isEmpty()
                ? "no time was left of " + Age.exact(budget.limit().toMillis())
                : String.join(", ", failed);
        return new CommandFailure(
                ExitCode.UNKNOWN,
                "no node could answer: %s; %stry again, or name other nodes with --endpoints or %s"
                        .formatted(who, outcome, GlobalOptions.ENDPOINTS_VARIABLE));
    }

    @Override
    public void close() {
        lines.forEach(NodeLine::close);
    }
}
