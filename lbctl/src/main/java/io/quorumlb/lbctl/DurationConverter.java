package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as 500ms, 5s, 2m; 1 ms to 1 hour. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7})(ms|s|m)");
    private static final Duration LIMIT = Duration.ofHours(1);

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'%s' is not a duration; write a whole number and ms, s or m, for example 500ms".formatted(text));
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
        if (duration.isZero() || duration.compareTo(LIMIT) > 0) {
            throw new TypeConversionException("'%s' is outside 1ms..60m".formatted(text));
        }
        return duration;
    }
}
