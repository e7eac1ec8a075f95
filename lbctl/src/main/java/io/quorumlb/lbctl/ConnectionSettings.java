package io.quorumlb.lbctl;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a cluster is reached, by the names that options, variables and contexts share. Secrets are not among them, only the files
 * that they are in.
 *
 * @param values by key, one of {@link #KEYS}
 */
record ConnectionSettings(SortedMap<String, String> values) {
    static final String ENDPOINTS = "endpoints";
    static final String TLS_CA = "tls-ca";
    static final String TLS_CERT = "tls-cert";
    static final String TLS_KEY = "tls-key";
    static final String TLS_SERVER_NAME = "tls-server-name";
    static final String TOKEN_FILE = "token-file";

    /** Everything that can be said. */
    static final List<String> KEYS = List.of(ENDPOINTS, TLS_CA, TLS_CERT, TLS_KEY, TLS_SERVER_NAME, TOKEN_FILE);

    /** Copies the map. */
    ConnectionSettings {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** Returns what the variables of the process say: LBCTL_TLS_CA is tls-ca. */
    static ConnectionSettings of(Map<String, String> environment) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String key : KEYS) {
            String value = environment.getOrDefault(variable(key), "");
            if (!value.isBlank()) {
                values.put(key, value);
            }
        }
        return new ConnectionSettings(values);
    }

    /** Returns the variable that says the same as a key. */
    static String variable(String key) {
        return "LBCTL_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** Returns the value of a key. */
    Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** Returns these, and where they say nothing what the others say. */
    ConnectionSettings over(ConnectionSettings others) {
        SortedMap<String, String> all = new TreeMap<>(others.values);
        all.putAll(values);
        return new ConnectionSettings(all);
    }
}
