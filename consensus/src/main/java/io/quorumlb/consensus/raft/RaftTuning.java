package io.quorumlb.consensus.raft;

/**
 * Housekeeping of the log.
 *
 * @param snapshotEntries entries after which a snapshot is taken, at least 1
 * @param segmentBytes size of one file of the log; whole files are purged once a snapshot contains them
 */
record RaftTuning(long snapshotEntries, long segmentBytes) {
    /** What a product node uses: at a few commits a second a snapshot every quarter of an hour or so. */
    static final RaftTuning PRODUCT = new RaftTuning(3000, 1 << 20);
}
