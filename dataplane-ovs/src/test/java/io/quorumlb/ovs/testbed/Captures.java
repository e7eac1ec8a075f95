package io.quorumlb.ovs.testbed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** What real switches and kernels said, recorded by {@code RecordCaptures}: one message a line. */
public final class Captures {
    private Captures() {}

    /** Returns the messages of a file of hexadecimal lines. */
    public static List<byte[]> bytes(String file) {
        return lines(file).stream().map(HexFormat.of()::parseHex).toList();
    }

    /** Returns the messages of a file of lines of text. */
    public static List<byte[]> texts(String file) {
        return lines(file).stream()
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    /** Returns the lines of a file; {@code #} begins a comment. */
    public static List<String> lines(String file) {
        try (InputStream in = Objects.requireNonNull(Captures.class.getResourceAsStream("/captures/" + file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException unreadable) {
            throw new AssertionError(file, unreadable);
        }
    }
}
