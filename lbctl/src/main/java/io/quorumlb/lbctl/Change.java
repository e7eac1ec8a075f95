package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WriteOptions;

/** Asks for objects as they should be, unless the configuration has changed since they were read. */
final class Change {
    private Change() {}

    /**
     * Returns the request.
     *
     * @param revision of the configuration that the objects were read from
     */
    static ApplyRequest of(Site.Builder wanted, long revision) {
        return ApplyRequest.newBuilder()
                .setSite(wanted)
                .setOptions(WriteOptions.newBuilder().setExpectedRevision(revision))
                .build();
    }
}
