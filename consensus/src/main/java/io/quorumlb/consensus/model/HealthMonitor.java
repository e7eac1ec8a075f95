package io.quorumlb.consensus.model;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * How the members of a pool are probed.
 *
 * @param check what is asked
 * @param port that is asked, 1..65535; empty is the member's own
 * @param interval from the start of a probe to the start of the next, 100 ms..1 h
 * @param timeout until a probe without an answer fails, 10 ms..interval
 * @param rise consecutive successes that make a member up, 1..100
 * @param fall consecutive failures that make it down, 1..100
 * @param fastInterval from the start of a probe to the start of the next while the member is suspect, 10 ms..interval
 */
public record HealthMonitor(
        MonitorCheck check,
        OptionalInt port,
        Duration interval,
        Duration timeout,
        int rise,
        int fall,
        Duration fastInterval) {
    private static final Duration FAST_DEFAULT = Duration.ofMillis(200);
    private static final Duration FAST_MIN = Duration.ofMillis(10);
    private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
    private static final Duration INTERVAL_MAX = Duration.ofHours(1);
    private static final Duration TIMEOUT_MIN = Duration.ofMillis(10);
    private static final int COUNT_MAX = 100;
    private static final int PORT_MAX = 65_535;

    /** Checks the ranges. */
    public HealthMonitor {
        between("interval", interval, INTERVAL_MIN, INTERVAL_MAX);
        between("timeout", timeout, TIMEOUT_MIN, interval);
        between("fast interval", fastInterval, FAST_MIN, interval);
        count("rise", rise);
        count("fall", fall);
        if (port.isPresent() && (port.getAsInt() < 1 || port.getAsInt() > PORT_MAX)) {
            throw new IllegalArgumentException("monitor port %d is outside 1..%d".formatted(port.getAsInt(), PORT_MAX));
        }
    }

    /** Makes a monitor of the members' own ports with the default fast interval. */
    public HealthMonitor(MonitorCheck check, Duration interval, Duration timeout, int rise, int fall) {
        this(check, OptionalInt.empty(), interval, timeout, rise, fall, fastIntervalDefault(interval));
    }

    /** Returns the fast interval where none is given: 200 ms, or the interval if that is shorter. */
    public static Duration fastIntervalDefault(Duration interval) {
        return interval.compareTo(FAST_DEFAULT) < 0 ? interval : FAST_DEFAULT;
    }

    private static void between(String field, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException("monitor %s %d ms is outside %d..%d ms"
                    .formatted(field, value.toMillis(), min.toMillis(), max.toMillis()));
        }
    }

    private static void count(String field, int value) {
        if (value < 1 || value > COUNT_MAX) {
            throw new IllegalArgumentException("monitor %s %d is outside 1..%d".formatted(field, value, COUNT_MAX));
        }
    }
}
