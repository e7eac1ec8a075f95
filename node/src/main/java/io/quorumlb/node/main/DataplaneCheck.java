package io.quorumlb.node.main;

import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.DatapathForm;
import io.quorumlb.ovs.install.OvsBridge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, once the switch answers, its datapath and ports with the configuration and logs each difference. The node runs on all the same: it
 * would forward, only slower or by another hash, and other proofs watch over that.
 */
final class DataplaneCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataplaneCheck.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Thread thread;

    private DataplaneCheck(Thread thread) {
        this.thread = thread;
    }

    /** Starts to ask; ends by itself with the first answer. */
    static DataplaneCheck start(NodeConfiguration configuration, OvsBridge bridge) {
        return new DataplaneCheck(Thread.ofVirtual().name("dataplane-check").start(() -> run(configuration, bridge)));
    }

    private static void run(NodeConfiguration configuration, OvsBridge bridge) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                say(differences(configuration, DatapathForm.read(bridge)), configuration, bridge);
                return;
            } catch (DatapathException unreachable) {
                // The loop says that the switch does not answer; it may come later.
                LOG.debug("{}", unreachable.getMessage());
                LockSupport.parkNanos(AGAIN.toNanos());
            }
        }
    }

    /** Returns what differs. */
    static List<String> differences(NodeConfiguration configuration, DatapathForm found) {
        List<String> networks = Stream.concat(
                        Stream.of(configuration.uplink().attachment()), configuration.segments().values().stream())
                .map(attachment -> attachment.port())
                .toList();
        return found.differences(
                configuration.dataplane().datapathType(),
                configuration.dataplane().portType(),
                networks);
    }

    private static void say(List<String> differences, NodeConfiguration configuration, OvsBridge bridge) {
        differences.forEach(difference -> LOG.warn("event=dataplane-differs bridge {}: {}", bridge.name(), difference));
        if (differences.isEmpty()) {
            LOG.info(
                    "bridge {}: datapath {}, ports {}",
                    bridge.name(),
                    configuration.dataplane().datapathType(),
                    configuration.dataplane().portType());
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
