package io.quorumlb.node.access;

import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.PlainText;
import io.quorumlb.consensus.model.Role;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/** Reads who a client certificate is for: CN is the name, OU=quorumlb-ROLE the role. */
final class CertifiedName {
    private static final String ROLE_PREFIX = "quorumlb-";

    private CertifiedName() {}

    /**
     * Returns the caller.
     *
     * @throws IllegalArgumentException saying what the subject lacks
     */
    static Caller of(X509Certificate certificate, String address) {
        String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        List<String> names = new ArrayList<>();
        List<String> units = new ArrayList<>();
        try {
            for (Rdn rdn : new LdapName(subject).getRdns()) {
                take(rdn, names, units);
            }
        } catch (NamingException e) {
            throw unfit(subject, "cannot be read: " + PlainText.of(String.valueOf(e.getMessage()), Caller.NAME_MAX));
        }
        List<Role> roles = units.stream()
                .map(CertifiedName::role)
                .flatMap(Optional::stream)
                .toList();
        if (roles.size() != 1) {
            throw unfit(
                    subject,
                    "has %d roles: one OU of quorumlb-viewer, quorumlb-operator and quorumlb-admin expected"
                            .formatted(roles.size()));
        }
        if (names.size() != 1) {
            throw unfit(subject, "has %d names: one CN expected".formatted(names.size()));
        }
        return new Caller(names.getFirst(), roles.getFirst(), address);
    }

    private static void take(Rdn rdn, List<String> names, List<String> units) throws NamingException {
        NamingEnumeration<? extends Attribute> attributes = rdn.toAttributes().getAll();
        while (attributes.hasMore()) {
            Attribute attribute = attributes.next();
            for (int i = 0; i < attribute.size(); i++) {
                String value = String.valueOf(attribute.get(i));
                switch (attribute.getID().toUpperCase(Locale.ROOT)) {
                    case "CN" -> names.add(value);
                    case "OU" -> units.add(value);
                    default -> {
                        // Where somebody works does not matter here.
                    }
                }
            }
        }
    }

    private static Optional<Role> role(String unit) {
        for (Role role : Role.values()) {
            if (unit.equals(ROLE_PREFIX + role.word())) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }

    private static IllegalArgumentException unfit(String subject, String what) {
        return new IllegalArgumentException("subject '%s' %s".formatted(PlainText.of(subject, 200), what));
    }
}
