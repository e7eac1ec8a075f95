package io.quorumlb.node.json;

import com.google.rpc.Code;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a caller waits for an answer, in the form that gRPC itself gives it: {@code Grpc-Timeout: 1500m}. */
final class CallTimeout {
    static final String HEADER = "Grpc-Timeout";

    private static final Pattern FORM = Pattern.compile("(\\d{1,8})([HMSmun])");
    private static final Duration OTHERWISE = Duration.ofSeconds(30);
    /** No call of the API waits longer. */
    private static final Duration MAX = Duration.ofMinutes(11);

    private CallTimeout() {}

    /**
     * Returns the time for the call: thirty seconds if none is given, eleven minutes at most.
     *
     * @throws Problem if the header is malformed
     */
    static Duration of(Optional<String> header) throws Problem {
        if (header.isEmpty()) {
            return OTHERWISE;
        }
        Matcher matcher = FORM.matcher(header.get());
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) == 0) {
            throw Problem.of(
                    Code.INVALID_ARGUMENT,
                    "INVALID",
                    "%s '%s' must be a number above zero of at most 8 digits and one of H, M, S, m (ms), u, n, for example 1500m"
                            .formatted(HEADER, Problem.excerpt(header.get())));
        }
        Duration limit = Duration.of(Integer.parseInt(matcher.group(1)), unit(matcher.group(2)));
        return limit.compareTo(MAX) > 0 ? MAX : limit;
    }

    private static ChronoUnit unit(String letter) {
        return switch (letter) {
            case "H" -> ChronoUnit.HOURS;
            case "M" -> ChronoUnit.MINUTES;
            case "S" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MILLIS;
            case "u" -> ChronoUnit.MICROS;
            default -> ChronoUnit.NANOS;
        };
    }
}
