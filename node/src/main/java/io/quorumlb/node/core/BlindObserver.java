package io.quorumlb.node.core;

/**
 * What is known of a node that sees nothing of a pool.
 *
 * @param poolId the pool
 * @param text one sentence for people, as it was when the node was found blind
 */
record BlindObserver(int poolId, String text) {}
