package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how long something lasts in the cluster, such as 90s, 10m, 2h, 7d; 1 second to 7 days. */
final class HoldTimeConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd])");
    private static final Duration LIMIT = Duration.ofDays(7);

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'%s' is not a time; write a whole number and s, m, h or d, for example 10m".formatted(text));
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        if (duration.isZero() || duration.compareTo(LIMIT) > 0) {
            throw new TypeConversionException("'%s' is outside 1s..7d".formatted(text));
        }
        return duration;
    }
}
