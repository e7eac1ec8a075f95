package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.Protocol;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say what a listener takes of the packets to its VIP. */
final class ListenOptions {
    /** {@code 10.99.0.10}, {@code 10.99.0.10:80}, {@code fd00::1}, {@code [fd00::1]} or {@code [fd00::1]:80}. */
    private static final Pattern VIP =
            Pattern.compile("(?:([^:\\[\\]]+)|\\[([^\\[\\]]+)\\])(?::([^:]+))?|([^\\[\\]]*:[^\\[\\]]*:[^\\[\\]]*)");

    private static final Pattern PORTS = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    private static final String ALL = "all";

    @Option(
            names = "--protocol",
            paramLabel = "PROTOCOL",
            description = "tcp, udp, or any for every packet to the VIP, whatever is above IP. Default: tcp.")
    private String protocol = "tcp";

    @Option(
            names = "--port",
            paramLabel = "PORTS",
            description = "A port, a range such as 8000-8100, or all; not with --protocol any."
                    + " In a range, and with all, members see the client's port.")
    private Optional<String> ports = Optional.empty();

    @Option(
            names = "--member-port",
            paramLabel = "PORT",
            converter = CountConverter.class,
            description = "Port of the members, only for a single port. Default: each member's own.")
    private Optional<Integer> memberPort = Optional.empty();

    /**
     * Fills in the VIP and what is taken of its packets.
     *
     * @param vip as given, with a port or without
     * @throws CommandFailure if the VIP or a port cannot be read, or the port is given twice or not at all
     */
    void fill(String vip, Listener.Builder listener) {
        Matcher parts = VIP.matcher(vip);
        if (!parts.matches()) {
            throw usage(
                    "VIP: '%s' is neither an address nor ADDRESS:PORT, for example 10.99.0.10:80 or [fd00:99::10]:80"
                            .formatted(vip));
        }
        Optional<String> behind = Optional.ofNullable(parts.group(3));
        if (behind.isPresent() && ports.isPresent()) {
            throw usage(
                    "--port: '%s' beside port '%s' of the VIP; give one of them".formatted(ports.get(), behind.get()));
        }
        Protocol known = EnumWord.parse(Protocol.values(), protocol, "--protocol");
        listener.setProtocol(known)
                .setVip(Optional.ofNullable(parts.group(1))
                        .or(() -> Optional.ofNullable(parts.group(2)))
                        .orElseGet(() -> parts.group(4)));
        ports(behind.or(() -> ports), known, listener);
        memberPort.ifPresent(listener::setMemberPort);
    }

    private void ports(Optional<String> given, Protocol known, Listener.Builder listener) {
        if (known == Protocol.PROTOCOL_ANY) {
            given.ifPresent(text -> {
                throw usage("--port: '%s' with --protocol any, which has no ports".formatted(text));
            });
            return;
        }
        String text =
                given.orElseThrow(() -> usage("--port: missing; a port, a range such as 8000-8100, or all expected"));
        if (text.equals(ALL)) {
            listener.setAllPorts(true);
            return;
        }
        Matcher range = PORTS.matcher(text);
        if (!range.matches()) {
            throw usage("--port: '%s' is none of a port, a range such as 8000-8100, or all".formatted(text));
        }
        listener.setPort(Integer.parseInt(range.group(1)));
        Optional.ofNullable(range.group(2)).map(Integer::parseInt).ifPresent(listener::setPortLast);
    }

    private static CommandFailure usage(String text) {
        return new CommandFailure(ExitCode.USAGE, text);
    }
}
