package io.quorumlb.node.access;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what stands in PEM files. Complaints never have what is in a file. */
final class Pem {
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private Pem() {}

    /**
     * Returns the certificates of a file, in its order; at least one.
     *
     * @throws GeneralSecurityException saying what is wrong
     */
    static List<X509Certificate> certificates(byte[] file) throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(file))) {
            certificates.add((X509Certificate) certificate);
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException("it has no certificate (-----BEGIN CERTIFICATE-----)");
        }
        return certificates;
    }

    /**
     * Returns the private key of a file.
     *
     * @throws GeneralSecurityException saying what is wrong
     */
    static PrivateKey key(byte[] file) throws GeneralSecurityException {
        Matcher matcher = KEY.matcher(new String(file, StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new GeneralSecurityException(
                    "it has no private key in PKCS #8 (-----BEGIN PRIVATE KEY-----); openssl pkcs8 -topk8 -nocrypt makes one");
        }
        byte[] encoded;
        try {
            encoded = Base64.getMimeDecoder().decode(matcher.group(1));
        } catch (IllegalArgumentException _) {
            throw new GeneralSecurityException("its private key is not in base 64");
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException _) {
                // Perhaps it is of the next kind.
            }
        }
        throw new GeneralSecurityException("its private key is none of " + ALGORITHMS);
    }
}
