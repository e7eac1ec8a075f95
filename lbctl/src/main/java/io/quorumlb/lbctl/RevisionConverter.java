package io.quorumlb.lbctl;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a revision of the configuration, a whole number from 1. */
final class RevisionConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            long number = Long.parseLong(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Told below, together with what parses but is too small.
        }
        throw new TypeConversionException("'%s' is not a whole number from 1 to %d".formatted(text, Long.MAX_VALUE));
    }
}
