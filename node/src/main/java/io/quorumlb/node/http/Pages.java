package io.quorumlb.node.http;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the HTTP port answers; asked at each request, from any thread.
 *
 * @param metrics all meters in Prometheus' text format 0.0.4
 * @param notReady why the node takes no traffic, for people; empty if it does
 */
public record Pages(Supplier<String> metrics, Supplier<Optional<String>> notReady) {}
