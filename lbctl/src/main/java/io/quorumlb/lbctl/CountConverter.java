package io.quorumlb.lbctl;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads whole numbers from 0; their upper limits are the cluster's to judge. */
final class CountConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, together with what parses but is negative.
        }
        throw new TypeConversionException("'%s' is not a whole number from 0 to %d".formatted(text, Integer.MAX_VALUE));
    }
}
