package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A host and port.
 *
 * @param host name or address, IPv6 without its brackets
 * @param port 1..65535
 * @param scheme whether it is reached over TLS
 */
record Endpoint(String host, int port, Scheme scheme) {
    /** How a node is reached. */
    enum Scheme {
        HTTP,
        HTTPS,
        /** As the other settings say. */
        UNSAID
    }

    private static final Pattern FORM =
            Pattern.compile("(https?://)?(?:\\[([^\\]]+)\\]|([^:\\[\\]\\s]+)):(\\d{1,5})/?");
    private static final int PORT_MAX = 65_535;

    /**
     * Reads endpoints divided by commas.
     *
     * @param text for example 127.0.0.1:7403,https://[::1]:7403
     * @param origin where the text comes from, for the error
     * @throws CommandFailure if one is not HOST:PORT, with or without http:// or https://
     */
    static List<Endpoint> parseAll(String text, String origin) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            try {
                endpoints.add(parse(part.strip()));
            } catch (TypeConversionException e) {
                throw new CommandFailure(ExitCode.USAGE, "%s: %s".formatted(origin, e.getMessage()));
            }
        }
        return Collections.unmodifiableList(endpoints);
    }

    private static Endpoint parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            int port = Integer.parseInt(matcher.group(4));
            String host = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            if (host != null && port > 0 && port <= PORT_MAX) {
                return new Endpoint(host, port, scheme(matcher.group(1)));
            }
        }
        throw new TypeConversionException(
                "'%s' is not HOST:PORT with a port in 1..65535, for example 127.0.0.1:7403".formatted(text));
    }

    private static Scheme scheme(@Nullable String written) {
        if (written == null) {
            return Scheme.UNSAID;
        }
        return written.equals("https://") ? Scheme.HTTPS : Scheme.HTTP;
    }

    /** Returns the same, reached as said if it has not said itself how. */
    Endpoint decided(Scheme said) {
        return scheme == Scheme.UNSAID ? new Endpoint(host, port, said) : this;
    }

    /** Returns true if it is reached over TLS. */
    boolean secured() {
        return scheme == Scheme.HTTPS;
    }

    /** Returns host and port. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
