package io.quorumlb.lbctl;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;

/** Reads durations as {@link DurationConverter} does, and 0 for none. */
final class GuardTimeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        return text.equals("0") ? Duration.ZERO : new DurationConverter().convert(text);
    }
}
