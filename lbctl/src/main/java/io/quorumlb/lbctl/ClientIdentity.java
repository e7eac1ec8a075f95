package io.quorumlb.lbctl;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The one certificate that says who asks. A key store would do the same, but encrypts the key first, in thousands of rounds: of
 * a cold command that is time to be seen.
 */
final class ClientIdentity extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final PrivateKey key;
    private final List<X509Certificate> chain;

    /**
     * Creates the identity.
     *
     * @param chain the certificate of the key, then those that sign it; not empty
     */
    ClientIdentity(PrivateKey key, List<X509Certificate> chain) {
        this.key = key;
        this.chain = List.copyOf(chain);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return Arrays.asList(keyTypes).contains(key.getAlgorithm()) && isSignedByOneOf(issuers) ? ALIAS : null;
    }

    /** A node that names nobody takes any. */
    private boolean isSignedByOneOf(Principal @Nullable [] issuers) {
        return issuers == null
                || issuers.length == 0
                || chain.stream()
                        .map(X509Certificate::getIssuerX500Principal)
                        .anyMatch(Arrays.asList(issuers)::contains);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return chooseClientAlias(new String[] {keyType}, issuers, null) == null ? null : new String[] {ALIAS};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return key;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return chain.toArray(X509Certificate[]::new);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }
}
