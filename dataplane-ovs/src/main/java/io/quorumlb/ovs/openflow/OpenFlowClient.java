package io.quorumlb.ovs.openflow;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Makes connections to one switch, one after the other, and counts what happens on all of them. */
public final class OpenFlowClient implements AutoCloseable {
    private final Duration limit;
    private final Duration silenceMax;
    private final SwitchWatcher watcher;
    private final OpenFlowCounters counters = new OpenFlowCounters();
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, Thread.ofPlatform().daemon().name("openflow").factory(), NioIoHandler.newFactory());

    /**
     * Makes a client that is not connected.
     *
     * @param limit longest time of one call
     * @param silenceMax a switch that does not answer an echo for so long is given up
     * @param watcher hears what a switch says unasked, on any connection
     */
    public OpenFlowClient(Duration limit, Duration silenceMax, SwitchWatcher watcher) {
        this.limit = limit;
        this.silenceMax = silenceMax;
        this.watcher = watcher;
    }

    /**
     * Connects and greets.
     *
     * @param socket path of the management socket, such as {@code /run/openvswitch/br0.mgmt}
     * @throws OpenFlowException if nobody listens there, or it speaks no OpenFlow 1.5
     */
    public OpenFlowConnection connect(Path socket) throws OpenFlowException {
        var deadline = Deadline.in(limit);
        var handler = new SwitchHandler(silenceMax, counters, watcher);
        var connect = new Bootstrap()
                .group(loop)
                .channelFactory(NioDomainSocketChannel::new)
                .handler(pipeline(handler))
                .connect(UnixDomainSocketAddress.of(socket));
        deadline.await(connect, "connecting to " + socket, handler);
        var _ = deadline.await(handler.ready(), "the greeting on " + socket, handler);
        return new OpenFlowConnection(connect.channel(), handler, limit, counters);
    }

    private ChannelInitializer<Channel> pipeline(SwitchHandler handler) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel fresh) {
                // Four questions before a switch counts as dead.
                long askMillis = Math.max(1, silenceMax.toMillis() / 4);
                var _ = fresh.pipeline()
                        .addLast(new MessageDecoder())
                        .addLast(new IdleStateHandler(askMillis, 0, 0, TimeUnit.MILLISECONDS))
                        .addLast(handler);
            }
        };
    }

    /** Returns the number of flow-mods sent in bundles; touches are not counted. */
    public long flowModsSent() {
        return counters.flowModsSent();
    }

    /** Returns the number of connections given up because of bytes that were no OpenFlow 1.5. */
    public long protocolErrors() {
        return counters.protocolErrors();
    }

    /** Returns the number of errors from the switch that belong to no request of ours. */
    public long strayErrors() {
        return counters.strayErrors();
    }

    /** Returns the number of changes by others that the switch spoke of. */
    public long foreignChanges() {
        return counters.foreignChanges();
    }

    /** Ends all connections. */
    @Override
    public void close() {
        // The quiet second lets a call that is on its way meet a closed connection, not a loop that is gone.
        var _ = loop.shutdownGracefully(1, 5, TimeUnit.SECONDS);
    }
}
