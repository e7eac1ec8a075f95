package io.quorumlb.node.probe;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the first line of an HTTP/1 response as its bytes arrive. Not thread-safe. */
final class StatusLine {
    /** Bytes after which a line that has not ended is not taken for HTTP. */
    static final int LENGTH_MAX = 1024;

    private static final String START = "HTTP/1.";
    private static final Pattern LINE = Pattern.compile("HTTP/1\\.[0-9] ([1-5][0-9]{2})( .*)?", Pattern.DOTALL);

    /** What the bytes so far mean. */
    sealed interface Reading {
        /** The line is still open. */
        record Open() implements Reading {}

        /** The line is whole; {@code code} is 100..599. */
        record Status(int code) implements Reading {}

        /** No HTTP/1 status line can come of these bytes. */
        record NotHttp() implements Reading {}
    }

    private final StringBuilder text = new StringBuilder();

    /** Adds bytes and returns what all bytes so far mean; what follows the line is ignored. */
    Reading add(byte[] bytes, int length) {
        text.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        int end = text.indexOf("\n");
        if (end < 0) {
            String prefix = text.substring(0, Math.min(text.length(), START.length()));
            boolean possible = START.startsWith(prefix) && text.length() < LENGTH_MAX;
            return possible ? new Reading.Open() : new Reading.NotHttp();
        }
        boolean carriageReturn = end > 0 && text.charAt(end - 1) == '\r';
        Matcher line = LINE.matcher(text.substring(0, carriageReturn ? end - 1 : end));
        return line.matches() ? new Reading.Status(Integer.parseInt(line.group(1))) : new Reading.NotHttp();
    }
}
