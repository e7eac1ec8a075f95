package io.quorumlb.node.access;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A node's certificate with its key, and whose clients it trusts: what the files had at one time. */
final class ServerIdentity {
    private static final int REMEMBERED_MAX = 256;

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final X509ExtendedTrustManager trust;
    private final Set<X509Certificate> trusted = ConcurrentHashMap.newKeySet();

    private ServerIdentity(List<X509Certificate> chain, PrivateKey key, X509ExtendedTrustManager trust) {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.trust = trust;
    }

    /**
     * Returns the identity.
     *
     * @param chain the node's certificate first
     * @param clientCas at least one
     * @throws GeneralSecurityException if the key is not that of the certificate
     */
    static ServerIdentity of(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientCas)
            throws GeneralSecurityException {
        requirePair(chain.getFirst(), key);
        return new ServerIdentity(chain, key, trust(clientCas));
    }

    private static void requirePair(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> "EdDSA";
        };
        byte[] text = {1, 2, 3, 4};
        boolean pair = false;
        if (certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm())) {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(text);
            Signature checking = Signature.getInstance(algorithm);
            checking.initVerify(certificate.getPublicKey());
            checking.update(text);
            pair = checking.verify(signing.sign());
        }
        if (!pair) {
            throw new GeneralSecurityException("the key is not that of the certificate");
        }
    }

    private static X509ExtendedTrustManager trust(List<X509Certificate> authorities) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException("an empty key store cannot be made", e);
        }
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca-" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("this JDK has no X.509 trust manager");
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    List<X509Certificate> chain() {
        return chain;
    }

    PrivateKey key() {
        return key;
    }

    X509ExtendedTrustManager trust() {
        return trust;
    }

    Instant notAfter() {
        return certificate().getNotAfter().toInstant();
    }

    /**
     * Checks a client's certificate again: its connection may be older than this identity, and than the certificate's end.
     *
     * @param client its certificate first
     * @throws CertificateException saying what is wrong
     */
    void requireTrusted(X509Certificate[] client) throws CertificateException {
        client[0].checkValidity();
        if (trusted.contains(client[0])) {
            return;
        }
        trust.checkClientTrusted(
                Arrays.copyOf(client, client.length), client[0].getPublicKey().getAlgorithm());
        if (trusted.size() >= REMEMBERED_MAX) {
            trusted.clear();
        }
        trusted.add(client[0]);
    }
}
