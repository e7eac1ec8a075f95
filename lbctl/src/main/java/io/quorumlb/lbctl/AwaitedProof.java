package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.WaitForGenerationRequest;

/**
 * What is to be proven of a pool by the nodes' switches.
 *
 * @param pool name of the pool
 * @param generation this one or a later one; 0 leaves it to the revision
 * @param revision of the configuration that a generation must reflect; 0, without a generation, is the present one
 */
record AwaitedProof(String pool, long generation, long revision) {
    /** Returns what proves a write. */
    static AwaitedProof ofRevision(String pool, long revision) {
        return new AwaitedProof(pool, 0, revision);
    }

    /** Returns the question, for an answer within the time. */
    WaitForGenerationRequest within(int millis) {
        return WaitForGenerationRequest.newBuilder()
                .setPool(pool)
                .setGeneration(generation)
                .setRevision(revision)
                .setTimeoutMillis(millis)
                .build();
    }

    /** Returns it in words, to go on a sentence. */
    String words() {
        if (generation > 0) {
            return "generation %d of pool %s".formatted(generation, pool);
        }
        return revision > 0
                ? "revision %d of pool %s".formatted(revision, pool)
                : "the present generation of pool %s".formatted(pool);
    }
}
