package io.quorumlb.node.probe;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeEffect;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.UnknownHostException;

/** Looks whether another node's switch forwards and its kernel answers; stateless, safe for any number of threads. */
public final class PathLook {
    /** Discard: nobody listens there, and a refusal says as much as an answer. */
    private static final int CLOSED_PORT = 9;

    private static final int TIMEOUT_MILLIS = 300;

    private PathLook() {}

    /**
     * Returns true if the other node's kernel refused or took a connection within 300 ms; blocks for so long at most.
     *
     * <p>Never throws: whatever else comes of it is no answer.
     */
    public static boolean answers(NodeEffect.LookAtPath look) {
        try (Socket socket = new Socket()) {
            socket.setSoLinger(true, 0);
            socket.bind(new InetSocketAddress(inet(look.source()), 0));
            socket.connect(new InetSocketAddress(inet(look.target()), CLOSED_PORT), TIMEOUT_MILLIS);
            return true;
        } catch (NoRouteToHostException _) {
            return false;
        } catch (ConnectException e) {
            return String.valueOf(e.getMessage()).contains("refused");
        } catch (IOException _) {
            return false;
        }
    }

    private static InetAddress inet(IpAddress address) throws UnknownHostException {
        return InetAddress.getByAddress(address.bytes());
    }
}
