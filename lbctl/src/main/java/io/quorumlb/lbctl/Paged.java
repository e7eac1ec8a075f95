package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * A list that comes in pages.
 *
 * @param ask asks for the page of a token, empty for the first
 * @param next reads from a page the token of the next, empty if it was the last
 * @param joined puts a page behind others
 */
record Paged<R>(
        BiFunction<ControlServiceBlockingStub, String, R> ask, Function<R, String> next, BinaryOperator<R> joined) {
    /** Returns what is one page always. */
    static <R> Paged<R> single(Function<ControlServiceBlockingStub, R> call) {
        return new Paged<>((stub, _) -> call.apply(stub), _ -> "", (first, _) -> first);
    }

    /**
     * Returns all pages as one.
     *
     * @param read asks a node
     * @throws CommandFailure if the pages do not end
     */
    R all(UnaryRead<R> read) {
        R all = read.of(stub -> ask.apply(stub, ""));
        for (String token = next.apply(all); !token.isEmpty(); token = next.apply(all)) {
            String from = token;
            all = joined.apply(all, read.of(stub -> ask.apply(stub, from)));
            if (next.apply(all).equals(from)) {
                throw new CommandFailure(ExitCode.UNKNOWN, "the node's list does not end; ask another node");
            }
        }
        return all;
    }

    /** How a node is asked one call. */
    @FunctionalInterface
    interface UnaryRead<R> {
        R of(Function<ControlServiceBlockingStub, R> call);
    }
}
