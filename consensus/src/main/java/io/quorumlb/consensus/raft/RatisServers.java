package io.quorumlb.consensus.raft;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts Ratis servers, and says in one sentence why one does not start. */
final class RatisServers {
    private static final Logger LOG = LoggerFactory.getLogger(RatisServers.class);

    /** A server that shuts itself down at the same moment can wait for itself for ever. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private static final int BACKLOG = 1;

    private RatisServers() {}

    /**
     * Starts a server.
     *
     * @throws RaftStartException naming directory or port; nothing of the server is left running
     */
    static RaftServer start(
            RaftSettings settings, RaftTuning tuning, Duration readTimeout, RatisStateMachine stateMachine)
            throws RaftStartException {
        // Ratis does not clean up well after these two, so they are tried before it starts.
        requireDirectory(settings.directory());
        requirePort(settings);
        RaftServer server;
        try {
            server = RaftServer.newBuilder()
                    .setServerId(RaftPeerId.valueOf(settings.self().value()))
                    .setGroup(group(settings))
                    .setStateMachine(stateMachine)
                    .setProperties(RatisProperties.of(settings, tuning, readTimeout))
                    .setOption(RaftStorage.StartupOption.RECOVER)
                    .build();
        } catch (IOException | RuntimeException e) {
            throw failure(settings, e);
        }
        try {
            server.start();
            return server;
        } catch (IOException | RuntimeException e) {
            close(server);
            throw failure(settings, e);
        }
    }

    /** Returns the group of all peers. */
    static RaftGroup group(RaftSettings settings) {
        List<RaftPeer> peers = settings.peers().entrySet().stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(peer.getKey().value())
                        .setAddress(peer.getValue())
                        .build())
                .toList();
        return RaftGroup.valueOf(groupId(settings), peers);
    }

    static RaftGroupId groupId(RaftSettings settings) {
        return RaftGroupId.valueOf(settings.groupId());
    }

    /** Closes a server; what it complains of is logged, for nobody can act on it. */
    static void close(RaftServer server) {
        Thread closing = Thread.ofPlatform().name("raft-close").daemon().start(() -> closeNow(server));
        try {
            if (!closing.join(CLOSE_LIMIT)) {
                LOG.warn("the Raft server does not close within {} s: goes on without it", CLOSE_LIMIT.toSeconds());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeNow(RaftServer server) {
        try {
            server.close();
        } catch (IOException e) {
            LOG.warn("the Raft server did not close cleanly", e);
        }
    }

    private static void requireDirectory(Path directory) throws RaftStartException {
        try {
            Files.createDirectories(directory);
            Files.delete(Files.createTempFile(directory, "write-", ".probe"));
        } catch (IOException e) {
            throw new RaftStartException(
                    "Raft directory %s cannot be written (%s): give the node a directory it may write to"
                            .formatted(directory, e),
                    e);
        }
    }

    private static void requirePort(RaftSettings settings) throws RaftStartException {
        try (ServerSocket socket = new ServerSocket(settings.port(), BACKLOG, InetAddress.getByName(settings.host()))) {
            LOG.debug("{} is free", socket.getLocalSocketAddress());
        } catch (IOException e) {
            throw portFailure(settings, e);
        }
    }

    private static RaftStartException portFailure(RaftSettings settings, Throwable cause) {
        return new RaftStartException(
                ("Raft cannot listen at %s:%d (%s): stop what uses the port, or configure an address of this machine"
                                + " and a free port")
                        .formatted(settings.host(), settings.port(), cause.getMessage()),
                cause);
    }

    private static RaftStartException failure(RaftSettings settings, Throwable thrown) {
        List<Throwable> causes = Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
                .toList();
        Optional<Throwable> bind =
                causes.stream().filter(BindException.class::isInstance).findFirst();
        if (bind.isPresent()) {
            return portFailure(settings, bind.get());
        }
        Throwable root = causes.getLast();
        return new RaftStartException(
                ("Raft log in %s cannot be opened (%s): if another process uses the directory, stop that; if it is"
                                + " damaged, move it away, remove the node from the cluster and add it again")
                        .formatted(settings.directory(), root.getMessage()),
                thrown);
    }
}
