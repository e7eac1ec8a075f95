package io.quorumlb.node.access;

import java.nio.file.Path;
import java.util.Optional;

/** How clients may reach a node's API. */
public sealed interface AccessSettings {
    /** Nothing was said: without TLS, on loopback only, and everybody there may do everything. */
    record Loopback() implements AccessSettings {}

    /** Somebody has said so: without TLS on all addresses, and everybody may do everything. */
    record Open() implements AccessSettings {}

    /**
     * With TLS, and only for callers who say who they are.
     *
     * @param certificate the node's own, PEM, its chain behind it
     * @param key of the certificate, PEM (PKCS #8)
     * @param clientCa certificates that sign those of clients, PEM
     * @param tokens file with tokens; without one no token is good
     */
    record Secured(Path certificate, Path key, Path clientCa, Optional<Path> tokens) implements AccessSettings {}
}
