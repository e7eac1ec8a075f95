package io.quorumlb.node.main;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The written forms of configuration values; each throws IllegalArgumentException naming value and limit. */
final class Forms {
    private static final int PORT_MAX = 65_535;
    private static final int INTERFACE_NAME_MAX = 15;
    /** Size of sun_path less the zero at its end. */
    private static final int SOCKET_PATH_BYTES_MAX = 107;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s)");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private Forms() {}

    /** Returns the name of a cluster or a segment. */
    static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a name: 1 to 63 of a-z, 0-9 and -, not starting with -, expected".formatted(text));
        }
        return text;
    }

    /** Returns the name of a bridge, port or interface. */
    static String link(String text) {
        if (text.length() > INTERFACE_NAME_MAX || !INTERFACE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not an interface name: 1 to %d of A-Z, a-z, 0-9, _, . and -, a letter or digit first, expected"
                            .formatted(text, INTERFACE_NAME_MAX));
        }
        return text;
    }

    /** Returns an address that one host can have. */
    static Ipv4Address hostAddress(String text) {
        Ipv4Address address = Ipv4Address.parse(text);
        int first = address.bits() >>> 24;
        if (first == 0 || first >= 224) {
            throw new IllegalArgumentException(
                    "'%s' is not the address of one host; give the address of one interface".formatted(text));
        }
        return address;
    }

    /** Returns an IPv6 address that one host can have, a link-local one among them. */
    static Ipv6Address hostAddress6(String text) {
        Ipv6Address address = Ipv6Address.parse(text);
        int first = (int) (address.high() >>> 56);
        if (first == 0 || first == 0xff) {
            throw new IllegalArgumentException(
                    "'%s' is not the address of one host; give the address of one interface".formatted(text));
        }
        return address;
    }

    /** Returns a TCP port. */
    static int port(String text) {
        int port = NUMBER.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("'%s' is not a TCP port: 1..%d expected".formatted(text, PORT_MAX));
        }
        return port;
    }

    /** Returns a file or directory. */
    static Path path(String text) {
        if (!text.startsWith("/") || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    "'%s' is not an absolute path; start it with /".formatted(text.replace('\0', '?')));
        }
        return Path.of(text).normalize();
    }

    /** Returns the path of a unix socket. */
    static Path socketPath(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SOCKET_PATH_BYTES_MAX) {
            throw new IllegalArgumentException("'%s' has %d bytes, a socket's path at most %d; use a shorter one"
                    .formatted(text, bytes, SOCKET_PATH_BYTES_MAX));
        }
        return path(text);
    }

    /** Returns the constant whose name the text has in lower case. */
    static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
        List<String> known = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
        int index = known.indexOf(text);
        if (index < 0) {
            throw new IllegalArgumentException("'%s' is not one of: %s".formatted(text, String.join(", ", known)));
        }
        return type.getEnumConstants()[index];
    }

    /** Returns a duration such as {@code 300ms} or {@code 2s}, between the limits. */
    static Duration duration(String text, Duration min, Duration max) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'%s' is not a duration, for example 300ms or 2s".formatted(text));
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    "'%s' is outside %dms..%dms".formatted(text, min.toMillis(), max.toMillis()));
        }
        return duration;
    }
}
