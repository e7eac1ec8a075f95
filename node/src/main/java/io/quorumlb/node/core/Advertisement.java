package io.quorumlb.node.core;

/**
 * How far a node has told everybody that it answers for a gateway.
 *
 * @param since when its switch was first proven to answer
 * @param sent how often it has told since
 */
record Advertisement(MonotonicTime since, int sent) {}
