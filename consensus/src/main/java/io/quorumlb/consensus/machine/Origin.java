package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.RequestId;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a write says of itself beside what it asks for.
 *
 * @param request tells it from all other writes; asked again it does nothing twice
 * @param content digest of what it asks for: another write under the same id is a mistake of its author
 * @param stampMillis when the leader proposed it, milliseconds since 1970 by its clock
 * @param expectedRevision the configuration must still be this one; empty if it does not matter
 * @param expectedObjectRevision the object that it is about must have been changed last by this revision; empty if it does
 *     not matter
 * @param author who asked for it; empty if nobody knows, then there is no record of it
 */
public record Origin(
        RequestId request,
        String content,
        long stampMillis,
        OptionalLong expectedRevision,
        OptionalLong expectedObjectRevision,
        Optional<Authorship> author) {
    /** Makes the origin of a write of which nobody knows who asked for it, and that does not mind when its object was changed. */
    public Origin(RequestId request, String content, long stampMillis, OptionalLong expectedRevision) {
        this(request, content, stampMillis, expectedRevision, OptionalLong.empty(), Optional.empty());
    }

    /** Returns the same, asked for by somebody. */
    public Origin by(Authorship somebody) {
        return new Origin(
                request, content, stampMillis, expectedRevision, expectedObjectRevision, Optional.of(somebody));
    }

    /** Returns the same on a configuration that must be this one. */
    public Origin expecting(long revision) {
        return new Origin(request, content, stampMillis, OptionalLong.of(revision), expectedObjectRevision, author);
    }

    /** Returns the same on an object that must have been changed last by this revision. */
    public Origin expectingObject(long revision) {
        return new Origin(request, content, stampMillis, expectedRevision, OptionalLong.of(revision), author);
    }

    /** Returns the same, proposed at another time. */
    public Origin stamped(long millis) {
        return new Origin(request, content, millis, expectedRevision, expectedObjectRevision, author);
    }
}
