package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how long ago something was: 90s, 30m, 12h, 7d; up to ten years. */
final class SpanConverter implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,7})([smhd])");
    private static final Duration LIMIT = Duration.ofDays(3_650);

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'%s' is not a time span; write a whole number and s, m, h or d, for example 12h".formatted(text));
        }
        long number = Long.parseLong(matcher.group(1));
        Duration span = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
        if (span.compareTo(LIMIT) > 0) {
            throw new TypeConversionException("'%s' is more than 3650d".formatted(text));
        }
        return span;
    }
}
