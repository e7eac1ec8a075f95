package io.quorumlb.consensus.machine;

/**
 * The result of one command.
 *
 * @param state after it
 * @param outcome what became of it
 */
public record Applied(ClusterState state, Outcome outcome) {}
