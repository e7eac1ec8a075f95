package io.quorumlb.node.core;

import java.util.Optional;

/**
 * How a node has done lately, as far as others have heard.
 *
 * @param troubleSince since when it says that it has no switch; empty while it says nothing of that kind
 * @param steadySince since when it is heard, in service and forwards as committed, without a break; empty while not
 */
record Standing(Optional<MonotonicTime> troubleSince, Optional<MonotonicTime> steadySince) {
    static final Standing NONE = new Standing(Optional.empty(), Optional.empty());

    /** Returns the standing after a look; what goes on keeps its beginning. */
    Standing next(boolean trouble, boolean steady, MonotonicTime now) {
        return new Standing(
                trouble ? troubleSince.or(() -> Optional.of(now)) : Optional.empty(),
                steady ? steadySince.or(() -> Optional.of(now)) : Optional.empty());
    }
}
