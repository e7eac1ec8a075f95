package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.RequestId;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The writes of the last minutes and their outcomes, so that one that is asked again is answered and not done again. Only what
 * was done is kept: what was refused changed nothing and may be asked again.
 *
 * <p>Time is that of the log: the highest stamp of a leader so far. It never goes back, and no node's own clock is in it.
 *
 * @param clockMillis time of the log, milliseconds since 1970
 * @param minutes what was done, by the minute of the log's time and by id; at most {@value #COUNT_MAX} together
 * @param audit the last writes that were done, and who asked for them; these are kept however old they are
 */
public record Requests(long clockMillis, SortedMap<Long, SortedMap<RequestId, Answer>> minutes, AuditTrail audit) {
    /** Most writes that are remembered; one more is refused until the oldest minute is over. */
    public static final int COUNT_MAX = 65_536;

    /** The minute under way and so many before it: ten minutes at the least. */
    private static final long MINUTES_KEPT = 10;

    private static final long MINUTE_MILLIS = 60_000;

    /**
     * What became of a write.
     *
     * @param content digest of what it asked for
     * @param done the outcome
     */
    public record Answer(String content, Outcome.Done done) {}

    /** Copies the map of minutes; what belongs to one minute is shared. */
    public Requests {
        minutes = Collections.unmodifiableSortedMap(new TreeMap<>(minutes));
    }

    /** Returns the memory of a cluster that was never written to. */
    public static Requests none() {
        return new Requests(0, new TreeMap<>(), AuditTrail.none());
    }

    /** Returns the minute that a time of the log lies in. */
    public static long minute(long millis) {
        return Math.floorDiv(millis, MINUTE_MILLIS);
    }

    Optional<Answer> answer(RequestId request) {
        for (SortedMap<RequestId, Answer> minute : minutes.values()) {
            Answer answer = minute.get(request);
            if (answer != null) {
                return Optional.of(answer);
            }
        }
        return Optional.empty();
    }

    boolean full() {
        return minutes.values().stream().mapToInt(SortedMap::size).sum() >= COUNT_MAX;
    }

    /** Returns the memory at a later time; at an earlier one it stays as it is. */
    Requests at(long millis) {
        if (millis <= clockMillis) {
            return this;
        }
        return new Requests(millis, minutes.tailMap(minute(millis) - MINUTES_KEPT), audit);
    }

    Requests with(Origin origin, Outcome.Done done) {
        AuditTrail trail = origin.author()
                .map(author -> audit.with(clockMillis, author, origin.request(), done.revision()))
                .orElse(audit);
        SortedMap<Long, SortedMap<RequestId, Answer>> next = new TreeMap<>(minutes);
        SortedMap<RequestId, Answer> present =
                new TreeMap<>(minutes.getOrDefault(minute(clockMillis), new TreeMap<>()));
        present.put(origin.request(), new Answer(origin.content(), done));
        next.put(minute(clockMillis), Collections.unmodifiableSortedMap(present));
        return new Requests(clockMillis, next, trail);
    }
}
