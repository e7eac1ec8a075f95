package io.quorumlb.ovs.ovsdb;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.codec.json.JsonObjectDecoder;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Watches one bridge in a switch's database for as long as it is open. Connects again after each failure, at first soon,
 * then every {@link #PAUSE_MAX}.
 */
public final class DatabaseClient implements AutoCloseable {
    private static final int MESSAGE_BYTES_MAX = 4 << 20;
    private static final Duration PAUSE_MIN = Duration.ofMillis(100);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);

    private final Path socket;
    private final String bridge;
    private final Duration silenceMax;
    private final DatabaseWatcher watcher;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("ovsdb").factory(), NioIoHandler.newFactory());
    private volatile boolean closed;

    private DatabaseClient(Path socket, String bridge, Duration silenceMax, DatabaseWatcher watcher) {
        this.socket = socket;
        this.bridge = bridge;
        this.silenceMax = silenceMax;
        this.watcher = watcher;
    }

    /**
     * Begins to watch.
     *
     * @param socket the database's socket, such as {@code /run/openvswitch/db.sock}
     * @param bridge name of the bridge
     * @param silenceMax a database that does not answer an echo for so long is given up
     * @param watcher hears what it says, on one thread
     */
    public static DatabaseClient open(Path socket, String bridge, Duration silenceMax, DatabaseWatcher watcher) {
        var client = new DatabaseClient(socket, bridge, silenceMax, watcher);
        client.connect(PAUSE_MIN);
        return client;
    }

    private void connect(Duration pause) {
        if (closed) {
            return;
        }
        var handler = new DatabaseHandler(bridge, silenceMax, watcher);
        var _ = new Bootstrap()
                .group(loop)
                .channelFactory(NioDomainSocketChannel::new)
                .handler(pipeline(handler))
                .connect(UnixDomainSocketAddress.of(socket))
                .addListener((ChannelFuture connected) -> {
                    if (connected.isSuccess()) {
                        var _ = connected.channel().closeFuture().addListener(_ -> {
                            String why = handler.failure().isEmpty() ? "it closed the connection" : handler.failure();
                            again(why, handler.watching() ? PAUSE_MIN : pause);
                        });
                    } else {
                        again("cannot connect: " + connected.cause().getMessage(), pause);
                    }
                });
    }

    private ChannelInitializer<Channel> pipeline(DatabaseHandler handler) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel fresh) {
                // Four questions before a database counts as dead.
                long askMillis = Math.max(1, silenceMax.toMillis() / 4);
                var _ = fresh.pipeline()
                        .addLast(new IdleStateHandler(askMillis, 0, 0, TimeUnit.MILLISECONDS))
                        .addLast(new JsonObjectDecoder(MESSAGE_BYTES_MAX))
                        .addLast(handler);
            }
        };
    }

    private void again(String reason, Duration pause) {
        if (closed) {
            return;
        }
        watcher.failed().accept(socket + ": " + reason);
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
        var _ = loop.schedule(() -> connect(next), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends it; nothing more is told. */
    @Override
    public void close() {
        closed = true;
        var _ = loop.shutdownGracefully(0, 5, TimeUnit.SECONDS);
    }
}
