package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** What a TLS connection is agreed on: version 1.3 or 1.2, and the client's certificate if it has one. */
final class Handshakes extends HttpsConfigurator {
    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    Handshakes(SSLContext context) {
        super(context);
    }

    @Override
    public void configure(HttpsParameters connection) {
        SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
        parameters.setProtocols(VERSIONS.clone());
        parameters.setWantClientAuth(true);
        connection.setSSLParameters(parameters);
    }
}
