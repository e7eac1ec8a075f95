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
        BiFunction<ControlServiceBlockingStub, String, R> ask, Function<R, String> next, BinaryOperator<R> joined) {}
