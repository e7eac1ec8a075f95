package io.quorumlb.node.core;

import io.quorumlb.ovs.hash.Fingerprint;
import java.util.Optional;

/**
 * What this node knows of its switch's hashes.
 *
 * @param known the last fingerprint; empty before the first
 * @param knownSince when the first one was known
 * @param accepted true once it was found to be that of the others, or nobody objected in time
 * @param number of the last one asked for
 * @param asked true while it is under way
 * @param tryAt when it may be asked for, or given up, next
 * @param due true if it is not known what the switch that runs now gives
 * @param trouble why the last attempt failed, or what is wrong with the fingerprint; empty if nothing is
 */
record FingerprintState(
        Optional<Fingerprint> known,
        Optional<MonotonicTime> knownSince,
        boolean accepted,
        long number,
        boolean asked,
        MonotonicTime tryAt,
        boolean due,
        String trouble) {
    static FingerprintState initial(MonotonicTime now) {
        return new FingerprintState(Optional.empty(), Optional.empty(), false, 0, false, now, true, "");
    }

    /** The switch may be another one now. */
    FingerprintState outdated() {
        return new FingerprintState(known, knownSince, accepted, number, false, tryAt, true, trouble);
    }

    FingerprintState asking(MonotonicTime until) {
        return new FingerprintState(known, knownSince, accepted, number + 1, true, until, true, trouble);
    }

    FingerprintState waiting(MonotonicTime until) {
        return new FingerprintState(known, knownSince, accepted, number, asked, until, due, trouble);
    }

    FingerprintState taken(Fingerprint fingerprint, MonotonicTime now, MonotonicTime next) {
        return new FingerprintState(
                Optional.of(fingerprint),
                knownSince.or(() -> Optional.of(now)),
                accepted,
                number,
                false,
                next,
                false,
                trouble);
    }

    FingerprintState failed(String reason, MonotonicTime next) {
        return new FingerprintState(
                known, knownSince, accepted, number, false, next, true, known.isEmpty() ? reason : trouble);
    }

    FingerprintState judged(boolean nowAccepted, String nowTrouble) {
        return new FingerprintState(known, knownSince, nowAccepted, number, asked, tryAt, due, nowTrouble);
    }
}
