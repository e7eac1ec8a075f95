package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/**
 * A host and port.
 *
 * @param host name or address, IPv6 without its brackets
 * @param port 1..65535
 */
record Endpoint(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:\\[\\]\\s]+)):(\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    /**
     * Reads endpoints divided by commas.
     *
     * @param text for example 127.0.0.1:7403,[::1]:7403
     * @param origin where the text comes from, for the error
     * @throws CommandFailure if one is not HOST:PORT
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
            int port = Integer.parseInt(matcher.group(3));
            String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            if (host != null && port > 0 && port <= PORT_MAX) {
                return new Endpoint(host, port);
            }
        }
        throw new TypeConversionException(
                "'%s' is not HOST:PORT with a port in 1..65535, for example 127.0.0.1:7403".formatted(text));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
