package io.quorumlb.node.probe;

import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.MonitorCheck.Silence;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;

/** One datagram to a member, and what comes back to a port that nobody else sends from. */
final class UdpProbe {
    /** Expected bytes beyond these are not found: room for a whole jumbo frame. */
    private static final int ANSWER_BYTES_MAX = 9216;

    private UdpProbe() {}

    /**
     * Asks once.
     *
     * @throws IOException if the member's port or host is unreachable, or the datagram cannot be sent
     */
    static ProbeResult ask(ProbeTarget target, MonitorCheck.Udp check, Deadline deadline) throws IOException {
        try (DatagramSocket socket = open(target)) {
            // Connected: only the member is heard, and what its kernel says of the port.
            socket.connect(Prober.to(target));
            byte[] payload = check.payload().copy();
            socket.send(new DatagramPacket(payload, payload.length));
            return answer(socket, check, deadline);
        } catch (BindException e) {
            return Prober.cannotSend(target, e);
        }
    }

    private static DatagramSocket open(ProbeTarget target) throws IOException {
        return new DatagramSocket(Prober.from(target));
    }

    private static ProbeResult answer(DatagramSocket socket, MonitorCheck.Udp check, Deadline deadline)
            throws IOException {
        DatagramPacket answer = new DatagramPacket(new byte[ANSWER_BYTES_MAX], ANSWER_BYTES_MAX);
        long limitMillis = deadline.limit().toMillis();
        try {
            socket.setSoTimeout(deadline.leftMillis());
            socket.receive(answer);
        } catch (SocketTimeoutException _) {
            return switch (check.silence()) {
                case Silence.FAILURE -> Prober.failed("no answer within %d ms".formatted(limitMillis));
                case Silence.WEAKLY_UP ->
                    new ProbeResult(
                            true, Observation.WEAK + "no answer within %d ms counts as up".formatted(limitMillis));
            };
        }
        if (!check.expect().occurIn(answer.getData(), answer.getLength())) {
            return Prober.failed("the answer of %d bytes is not the expected one".formatted(answer.getLength()));
        }
        return new ProbeResult(true, "%d bytes in %d ms".formatted(answer.getLength(), deadline.spentMillis()));
    }
}
