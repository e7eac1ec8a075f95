package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.RequestId;

/**
 * A write that was done, and who asked for it.
 *
 * @param sequence number of the record, one more than that of the record before it
 * @param millis when, by the time of the log; milliseconds since 1970
 * @param author who asked for it
 * @param request its id
 * @param revision of the configuration after it
 */
public record WriteRecord(long sequence, long millis, Authorship author, RequestId request, long revision) {}
