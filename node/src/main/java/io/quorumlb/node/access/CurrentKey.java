package io.quorumlb.node.access;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Hands the node's key to each handshake. A handshake asks for the certificate and for the key one after the other: both come
 * from the identity that it began with, which is why the one before is kept.
 */
final class CurrentKey extends X509ExtendedKeyManager {
    private final AtomicReference<Pair> pair;

    /** The two latest identities, by the number that is their alias. */
    private record Pair(long number, ServerIdentity current, Optional<ServerIdentity> before) {}

    CurrentKey(ServerIdentity first) {
        pair = new AtomicReference<>(new Pair(0, first, Optional.empty()));
    }

    /** Uses another identity for handshakes that begin from now on. */
    void become(ServerIdentity next) {
        pair.updateAndGet(old -> new Pair(old.number() + 1, next, Optional.of(old.current())));
    }

    ServerIdentity current() {
        return pair.get().current();
    }

    private Optional<ServerIdentity> identity(String alias) {
        Pair now = pair.get();
        if (alias.equals(Long.toString(now.number()))) {
            return Optional.of(now.current());
        }
        return alias.equals(Long.toString(now.number() - 1)) ? now.before() : Optional.empty();
    }

    private @Nullable String alias(String keyType) {
        Pair now = pair.get();
        return now.current().key().getAlgorithm().equals(keyType) ? Long.toString(now.number()) : null;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        String alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return identity(alias)
                .map(ServerIdentity::chain)
                .map(List::stream)
                .map(chain -> chain.toArray(X509Certificate[]::new))
                .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return identity(alias).map(ServerIdentity::key).orElse(null);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }
}
