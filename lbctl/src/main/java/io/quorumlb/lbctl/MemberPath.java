package io.quorumlb.lbctl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A member by the name of its pool and its own.
 *
 * @param pool name of the pool
 * @param member name of the member in it
 */
record MemberPath(String pool, String member) {
    private static final Pattern FORM = Pattern.compile("([^/]+)/([^/]+)");

    @Override
    public String toString() {
        return pool + "/" + member;
    }

    /** Reads POOL/MEMBER. */
    static final class Converter implements ITypeConverter<MemberPath> {
        @Override
        public MemberPath convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'%s' is not POOL/MEMBER, for example web/be1".formatted(text));
            }
            return new MemberPath(matcher.group(1), matcher.group(2));
        }
    }
}
