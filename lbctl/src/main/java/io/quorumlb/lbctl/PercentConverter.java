package io.quorumlb.lbctl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads percentages such as 50% or 50, from 0 to 100. */
final class PercentConverter implements ITypeConverter<Integer> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})%?");
    private static final int ALL = 100;

    @Override
    public Integer convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches() && Integer.parseInt(matcher.group(1)) <= ALL) {
            return Integer.parseInt(matcher.group(1));
        }
        throw new TypeConversionException(
                "'%s' is not a percentage; write a whole number from 0%% to 100%%, for example 50%%".formatted(text));
    }
}
