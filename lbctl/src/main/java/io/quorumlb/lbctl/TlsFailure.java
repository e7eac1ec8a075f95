package io.quorumlb.lbctl;

import java.io.IOException;

/** Two sides that do not trust each other, or do not both speak TLS. */
final class TlsFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates the failure from the JDK's words. */
    TlsFailure(String what) {
        super(what.replaceAll("\\p{Cntrl}", " "));
    }

    /** Returns what happened and what to look at. */
    String sentence() {
        String what = String.valueOf(getMessage());
        if (what.startsWith("Received fatal alert")) {
            return "refuses this side's certificate, or asks for another version of TLS (%s)".formatted(what);
        }
        if (what.contains("path building failed") || what.contains("PKIX")) {
            return "shows a certificate that --tls-ca does not trust (%s)".formatted(what);
        }
        if (what.contains("subject alternative") || what.contains("No name matching")) {
            return "shows a certificate of another name: see --tls-server-name (%s)".formatted(what);
        }
        return "does not speak TLS as expected (%s)".formatted(what);
    }
}
