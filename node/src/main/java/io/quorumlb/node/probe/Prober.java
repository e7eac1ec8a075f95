package io.quorumlb.node.probe;

import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Probes members. Stateless; safe for any number of threads.
 *
 * <p>The JDK's HTTP client is not used: it binds a source address per client, not per request, pools connections (a
 * pooled one proves an old handshake, not a new one) and has no single limit over connect, send and answer.
 */
public final class Prober {
    private static final int SUCCESS_MIN = 200;
    private static final int SUCCESS_END = 400;

    /** Makes a prober. */
    public Prober() {}

    /**
     * Makes one probe and returns what it found; blocks for the monitor's timeout at most.
     *
     * <p>HTTP: a GET that is answered with a 2xx or 3xx status line in time. TCP: a connection that opens in time; it
     * cannot see a frozen process, because the kernel still completes handshakes until the listen backlog is full. UDP:
     * a datagram whose answer has the expected bytes in it; a port that is unreachable fails at once, and silence fails
     * unless the monitor asks for the opposite.
     *
     * <p>Never throws: whatever goes wrong is a failed probe with the reason as detail.
     */
    public ProbeResult probe(ProbeTarget target) {
        Deadline deadline = Deadline.startingNow(target.monitor().timeout());
        try {
            return switch (target.monitor().check()) {
                case MonitorCheck.Http(String path) ->
                    connect(target, deadline, socket -> ask(socket, target, path, deadline));
                case MonitorCheck.Tcp() ->
                    connect(
                            target,
                            deadline,
                            _ -> new ProbeResult(true, "connected in %d ms".formatted(deadline.spentMillis())));
                case MonitorCheck.Udp udp -> UdpProbe.ask(target, udp, deadline);
            };
        } catch (IOException e) {
            return failed(reason(e));
        }
    }

    /** What is done with an open connection. */
    private interface Exchange {
        ProbeResult with(Socket socket) throws IOException;
    }

    private static ProbeResult connect(ProbeTarget target, Deadline deadline, Exchange exchange) throws IOException {
        try (Socket socket = new Socket()) {
            // A reset instead of an orderly close: thousands of probes must not leave their ports in TIME_WAIT.
            socket.setSoLinger(true, 0);
            socket.setReuseAddress(true);
            socket.setTcpNoDelay(true);
            try {
                socket.bind(from(target));
            } catch (BindException e) {
                return cannotSend(target, e);
            }
            try {
                socket.connect(to(target), deadline.leftMillis());
            } catch (SocketTimeoutException _) {
                return failed(
                        "no connection within %d ms".formatted(deadline.limit().toMillis()));
            }
            return exchange.with(socket);
        }
    }

    private static ProbeResult ask(Socket socket, ProbeTarget target, String path, Deadline deadline)
            throws IOException {
        // Small enough for the empty send buffer of a new connection: the write cannot block.
        socket.getOutputStream().write(request(target, path).getBytes(StandardCharsets.US_ASCII));
        StatusLine line = new StatusLine();
        byte[] bytes = new byte[StatusLine.LENGTH_MAX];
        InputStream answer = socket.getInputStream();
        try {
            while (true) {
                socket.setSoTimeout(deadline.leftMillis());
                int length = answer.read(bytes);
                if (length < 0) {
                    return failed("closed without an answer");
                }
                switch (line.add(bytes, length)) {
                    case StatusLine.Reading.Open _ -> {
                        // The rest of the line is on its way, or the deadline ends it.
                    }
                    case StatusLine.Reading.NotHttp _ -> {
                        return failed("not HTTP");
                    }
                    case StatusLine.Reading.Status(int code) -> {
                        return answered(code, deadline);
                    }
                }
            }
        } catch (SocketTimeoutException _) {
            return failed("no answer within %d ms".formatted(deadline.limit().toMillis()));
        }
    }

    private static String request(ProbeTarget target, String path) {
        return "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: quorumlb\r\nAccept: */*\r\nConnection: close\r\n\r\n"
                .formatted(path, target.asked());
    }

    private static ProbeResult answered(int code, Deadline deadline) {
        boolean success = code >= SUCCESS_MIN && code < SUCCESS_END;
        return new ProbeResult(success, "%d in %d ms".formatted(code, deadline.spentMillis()));
    }

    static ProbeResult failed(String detail) {
        return new ProbeResult(false, detail);
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoRouteToHostException _ -> "no route to host";
            case PortUnreachableException _ -> "port unreachable";
            case ConnectException refused
            when String.valueOf(refused.getMessage()).contains("refused") -> "connection refused";
            default -> String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        };
    }

    static ProbeResult cannotSend(ProbeTarget target, BindException e) {
        return failed("cannot send from %s: %s".formatted(target.source(), reason(e)));
    }

    static InetSocketAddress from(ProbeTarget target) throws UnknownHostException {
        return new InetSocketAddress(inet(target.source()), 0);
    }

    static InetSocketAddress to(ProbeTarget target) throws UnknownHostException {
        return new InetSocketAddress(
                inet(target.asked().address()), target.asked().port());
    }

    private static InetAddress inet(IpAddress address) throws UnknownHostException {
        return InetAddress.getByAddress(address.bytes());
    }
}
