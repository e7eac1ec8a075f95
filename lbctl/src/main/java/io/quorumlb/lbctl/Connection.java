package io.quorumlb.lbctl;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The nodes to ask, and what they are shown. Never writes a secret anywhere but to a node over TLS. */
final class Connection {
    private static final int TOKEN_MAX = 4_096;

    private final List<Endpoint> endpoints;
    private final Optional<TlsDialer> tls;
    private final Optional<String> token;

    private Connection(List<Endpoint> endpoints, Optional<TlsDialer> tls, Optional<String> token) {
        this.endpoints = List.copyOf(endpoints);
        this.tls = tls;
        this.token = token;
    }

    /**
     * Opens what the settings name; reaches nobody yet.
     *
     * @param endpoints read already
     * @throws CommandFailure if the settings do not fit, or a file cannot be used
     */
    static Connection of(List<Endpoint> endpoints, ConnectionSettings settings) {
        boolean authority = settings.get(ConnectionSettings.TLS_CA).isPresent();
        List<Endpoint> known = endpoints.stream()
                .map(endpoint -> endpoint.decided(authority ? Endpoint.Scheme.HTTPS : Endpoint.Scheme.HTTP))
                .toList();
        Optional<String> cert = settings.get(ConnectionSettings.TLS_CERT);
        if (cert.isPresent() != settings.get(ConnectionSettings.TLS_KEY).isPresent()) {
            throw new CommandFailure(ExitCode.USAGE, "--tls-cert and --tls-key go together: give both, or neither");
        }
        boolean secured = known.stream().anyMatch(Endpoint::secured);
        Optional<String> token = settings.get(ConnectionSettings.TOKEN_FILE).map(file -> token(Path.of(file)));
        known.stream()
                .filter(endpoint -> token.isPresent() && !endpoint.secured())
                .findFirst()
                .ifPresent(endpoint -> {
                    throw new CommandFailure(
                            ExitCode.USAGE,
                            "a token goes over TLS only: write https://%s, or give --tls-ca".formatted(endpoint));
                });
        return new Connection(known, secured ? Optional.of(new TlsDialer(settings)) : Optional.empty(), token);
    }

    private static String token(Path file) {
        String token;
        try {
            if (Files.size(file) > 2 * TOKEN_MAX) {
                throw unfit(file, "it is too long for a token, at most %d characters".formatted(TOKEN_MAX));
            }
            token = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (NoSuchFileException _) {
            throw unfit(file, "there is no such file");
        } catch (IOException _) {
            throw unfit(file, "it cannot be read");
        }
        if (token.isEmpty() || token.length() > TOKEN_MAX || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw unfit(
                    file, "one line of 1..%d printable ASCII characters without spaces expected".formatted(TOKEN_MAX));
        }
        return token;
    }

    private static CommandFailure unfit(Path file, String what) {
        return new CommandFailure(ExitCode.USAGE, "token file %s: %s".formatted(file, what));
    }

    /** Returns the nodes to ask, in this order. */
    List<Endpoint> endpoints() {
        return endpoints;
    }

    /** Returns the header line that says who asks, with its end; empty without a token. */
    String authorization() {
        return token.map("Authorization: Bearer %s\r\n"::formatted).orElse("");
    }

    /** Connects to a node; over TLS the handshake is done as well. */
    HttpWire open(Endpoint endpoint, InetSocketAddress address, Budget budget) throws IOException {
        return endpoint.secured() && tls.isPresent()
                ? tls.get().open(endpoint, address, budget)
                : HttpWire.open(address, budget);
    }
}
