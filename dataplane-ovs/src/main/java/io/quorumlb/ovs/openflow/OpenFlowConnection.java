package io.quorumlb.ovs.openflow;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A connection to a bridge's management socket that speaks OpenFlow 1.5. It never recovers: once a call has failed
 * for another reason than a refusal, or the switch has fallen silent, a new connection is needed. Calls are for one
 * thread at a time; they block and have a deadline.
 */
public final class OpenFlowConnection implements AutoCloseable {
    private final Channel channel;
    private final SwitchHandler handler;
    private final Duration limit;
    private final OpenFlowCounters counters;
    private int lastBundle;

    private OpenFlowConnection(Channel channel, SwitchHandler handler, Duration limit, OpenFlowCounters counters) {
        this.channel = channel;
        this.handler = handler;
        this.limit = limit;
        this.counters = counters;
    }

    /**
     * Connects and greets.
     *
     * @param socket path of the management socket, such as {@code /run/openvswitch/br0.mgmt}
     * @param limit longest time of this and of each later call
     * @param silenceMax a switch that does not answer an echo for so long is given up
     * @param counters where to count
     * @throws OpenFlowException if nobody listens there, or it speaks no OpenFlow 1.5
     */
    public static OpenFlowConnection open(Path socket, Duration limit, Duration silenceMax, OpenFlowCounters counters)
            throws OpenFlowException {
        var deadline = Deadline.in(limit);
        var handler = new SwitchHandler(silenceMax, counters);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().daemon().name("openflow").factory(), NioIoHandler.newFactory());
        try {
            var connect = new Bootstrap()
                    .group(loop)
                    .channelFactory(NioDomainSocketChannel::new)
                    .handler(pipeline(handler, silenceMax))
                    .connect(UnixDomainSocketAddress.of(socket));
            await(connect, deadline, "connecting to " + socket, handler);
            await(handler.ready(), deadline, "the greeting on " + socket, handler);
            var _ = connect.channel().closeFuture().addListener(_ -> stop(loop));
            return new OpenFlowConnection(connect.channel(), handler, limit, counters);
        } catch (OpenFlowException failed) {
            stop(loop);
            throw failed;
        }
    }

    private static ChannelInitializer<Channel> pipeline(SwitchHandler handler, Duration silenceMax) {
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

    private static void stop(EventLoopGroup loop) {
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /**
     * Returns all ports and flows.
     *
     * @throws OpenFlowException if not all could be read
     */
    public SwitchDescription read() throws OpenFlowException {
        var deadline = Deadline.in(limit);
        int xid = handler.takeXids(Exchange.Read.XIDS);
        var read = new Exchange.Read(xid);
        handler.begin(read);
        try (var writer = new ChunkWriter(channel, deadline)) {
            RequestEncoder.portsRequest(xid, writer.buffer());
            RequestEncoder.flowsRequest(xid + 1, writer.buffer());
            writer.flush();
            return await(read.answer(), deadline, "reading flows and ports back", handler);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted, handler);
        } catch (OpenFlowException failed) {
            throw broken(failed);
        } finally {
            handler.end();
        }
    }

    /**
     * Makes changes in one atomic bundle and returns when the barrier after it is answered. A refusal leaves the
     * switch as it was and names the flow.
     *
     * @param delta changes; deletes go first
     * @param ownerCookie bits a flow's cookie must have to be deleted
     * @param ownerMask bits of the cookie to compare
     * @throws OpenFlowException if the switch refused it or did not answer
     */
    public void commit(FlowDelta delta, long ownerCookie, long ownerMask) throws OpenFlowException {
        var deadline = Deadline.in(limit);
        int bundle = ++lastBundle;
        int firstXid = handler.takeXids(Exchange.Bundle.xids(delta.size()));
        var exchange = new Exchange.Bundle(firstXid, bundle, delta.size(), index -> nameOf(delta, index));
        handler.begin(exchange);
        boolean commitSent = false;
        try (var writer = new ChunkWriter(channel, deadline)) {
            RequestEncoder.bundleControl(bundle, BundleStep.OPEN_REQUEST, firstXid, writer.buffer());
            fill(writer, exchange, bundle, delta, ownerCookie, ownerMask);
            // The reply to the close says that every flow-mod was accepted; a commit before would commit the rest.
            RequestEncoder.bundleControl(bundle, BundleStep.CLOSE_REQUEST, exchange.closeXid(), writer.buffer());
            writer.flush();
            try {
                await(exchange.filled(), deadline, "filling a bundle of " + delta.size() + " flow-mods", handler);
            } catch (OpenFlowException failed) {
                if (failed.kind() == OpenFlowException.Kind.REFUSED) {
                    discard(writer, exchange, bundle, deadline);
                }
                throw failed;
            }
            RequestEncoder.bundleControl(bundle, BundleStep.COMMIT_REQUEST, exchange.commitXid(), writer.buffer());
            RequestEncoder.barrierRequest(exchange.barrierXid(), writer.buffer());
            commitSent = true;
            writer.flush();
            boolean committed =
                    await(exchange.settled(), deadline, "committing " + delta.size() + " flow-mods", handler);
            OpenFlowException refusal = exchange.refusal();
            if (refusal != null) {
                throw refusal;
            }
            if (!committed) {
                throw new OpenFlowException(
                        OpenFlowException.Kind.PROTOCOL, "the switch passed the barrier without answering the commit");
            }
        } catch (InterruptedException interrupted) {
            OpenFlowException failed = interrupted(interrupted, handler);
            throw commitSent ? failed.afterCommit() : failed;
        } catch (OpenFlowException failed) {
            throw commitSent ? broken(failed).afterCommit() : broken(failed);
        } finally {
            handler.end();
        }
    }

    private void fill(
            ChunkWriter writer,
            Exchange.Bundle exchange,
            int bundle,
            FlowDelta delta,
            long ownerCookie,
            long ownerMask)
            throws OpenFlowException, InterruptedException {
        int index = 0;
        for (FlowKey key : delta.delete()) {
            int xid = exchange.modXid(index++);
            int start = RequestEncoder.beginBundleAdd(bundle, xid, writer.buffer());
            FlowModEncoder.deleteStrict(key, ownerCookie, ownerMask, xid, writer.buffer());
            finishAdd(writer, start);
            if (exchange.refusal() != null) {
                return;
            }
        }
        for (Flow flow : delta.add()) {
            int xid = exchange.modXid(index++);
            int start = RequestEncoder.beginBundleAdd(bundle, xid, writer.buffer());
            FlowModEncoder.add(flow, xid, writer.buffer());
            finishAdd(writer, start);
            if (exchange.refusal() != null) {
                return;
            }
        }
    }

    private void finishAdd(ChunkWriter writer, int start) throws OpenFlowException, InterruptedException {
        Wire.finish(writer.buffer(), start);
        counters.countFlowMods(1);
        writer.flushIfFull();
    }

    private void discard(ChunkWriter writer, Exchange.Bundle exchange, int bundle, Deadline deadline)
            throws OpenFlowException, InterruptedException {
        RequestEncoder.bundleControl(bundle, BundleStep.DISCARD_REQUEST, exchange.discardXid(), writer.buffer());
        RequestEncoder.barrierRequest(exchange.barrierXid(), writer.buffer());
        writer.flush();
        await(exchange.settled(), deadline, "discarding a bundle", handler);
    }

    private static String nameOf(FlowDelta delta, int index) {
        int deletes = delta.delete().size();
        return index < deletes
                ? "to delete flow " + delta.delete().get(index)
                : "flow " + delta.add().get(index - deletes);
    }

    /** Returns whether calls can be made. */
    public boolean isOpen() {
        return handler.failure() == null && channel.isActive();
    }

    /** Returns whether the switch was heard lately; false before {@link #isOpen} while a call waits for it. */
    public boolean isAlive() {
        return isOpen() && handler.hearsSwitch();
    }

    /** Ends the connection; a call that waits fails. */
    @Override
    public void close() {
        handler.fail(new OpenFlowException(OpenFlowException.Kind.UNREACHABLE, "the connection was closed here"));
    }

    private OpenFlowException broken(OpenFlowException failed) {
        if (failed.kind() != OpenFlowException.Kind.REFUSED) {
            handler.fail(failed);
        }
        return failed;
    }

    private static OpenFlowException interrupted(InterruptedException cause, SwitchHandler handler) {
        Thread.currentThread().interrupt();
        var failure =
                new OpenFlowException(OpenFlowException.Kind.UNREACHABLE, "the call to the switch was interrupted", cause);
        handler.fail(failure);
        return failure;
    }

    private static <T> T await(Future<T> answer, Deadline deadline, String what, SwitchHandler handler)
            throws OpenFlowException {
        try {
            return answer.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            OpenFlowException missed = deadline.missedBy(what);
            handler.fail(missed);
            throw missed;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted, handler);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof OpenFlowException known) {
                throw known;
            }
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            var unreachable =
                    new OpenFlowException(OpenFlowException.Kind.UNREACHABLE, what + " failed: " + cause, cause);
            handler.fail(unreachable);
            throw unreachable;
        }
    }
}
