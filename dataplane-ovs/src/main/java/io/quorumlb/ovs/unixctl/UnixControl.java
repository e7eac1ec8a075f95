package io.quorumlb.ovs.unixctl;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.codec.json.JsonObjectDecoder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A connection to the control socket of a daemon of Open vSwitch: JSON-RPC 1.0, answered in the order of the calls.
 * Calls are for one thread at a time; they block and have a deadline. After a failed call other than a refusal a new
 * connection is needed.
 */
public final class UnixControl implements AutoCloseable {
    static final int REPLY_BYTES_MAX = 16 << 20;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Channel channel;
    private final ReplyHandler handler;
    private final Duration limit;
    private int lastId;

    private UnixControl(Channel channel, ReplyHandler handler, Duration limit) {
        this.channel = channel;
        this.handler = handler;
        this.limit = limit;
    }

    /**
     * Connects.
     *
     * @param socket path of the control socket, such as {@code /run/openvswitch/ovs-vswitchd.42.ctl}
     * @param limit longest time of this and of each later call
     * @throws UnixControlException if nobody listens there
     */
    public static UnixControl open(Path socket, Duration limit) throws UnixControlException {
        var handler = new ReplyHandler();
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1, Thread.ofPlatform().daemon().name("unixctl").factory(), NioIoHandler.newFactory());
        try {
            var connect = new Bootstrap()
                    .group(loop)
                    .channelFactory(NioDomainSocketChannel::new)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel fresh) {
                            var _ = fresh.pipeline().addLast(new JsonObjectDecoder(REPLY_BYTES_MAX), handler);
                        }
                    })
                    .connect(UnixDomainSocketAddress.of(socket));
            await(connect, limit, "connecting to " + socket);
            var _ = connect.channel().closeFuture().addListener(_ -> stop(loop));
            return new UnixControl(connect.channel(), handler, limit);
        } catch (UnixControlException failed) {
            stop(loop);
            throw failed;
        }
    }

    /**
     * Makes a call and returns the text of its result.
     *
     * @param method command of the daemon, for example {@code revalidator/wait} or {@code ofproto/trace}
     * @param params arguments in the order of the command
     * @throws UnixControlException if the daemon refuses the call, with its words, or does not answer
     */
    public String call(String method, String... params) throws UnixControlException {
        return begin(method, params).result();
    }

    /**
     * Sends a call and returns when the kernel has it, so that what is sent to the daemon elsewhere comes after it.
     * Other calls may begin before its result is fetched.
     *
     * @param method command of the daemon
     * @param params arguments in the order of the command
     * @throws UnixControlException if it cannot be sent
     */
    public PendingCall begin(String method, String... params) throws UnixControlException {
        if (!channel.isActive()) {
            throw new UnixControlException(method + " was not sent: the daemon closed the connection");
        }
        int id = ++lastId;
        Future<Reply> answer = handler.expect(id);
        ByteBuf request = channel.alloc().buffer();
        try (var out = new ByteBufOutputStream(request)) {
            write(id, method, params, out);
        } catch (IOException impossible) {
            throw new UnixControlException("cannot write to memory", impossible);
        }
        await(channel.writeAndFlush(request), limit, "sending " + method);
        return new PendingCall(method, answer);
    }

    /** A call that was sent. */
    public final class PendingCall {
        private final String method;
        private final Future<Reply> answer;

        private PendingCall(String method, Future<Reply> answer) {
            this.method = method;
            this.answer = answer;
        }

        /**
         * Waits for the answer and returns the text of its result.
         *
         * @throws UnixControlException if the daemon refuses the call, with its words, or does not answer
         */
        public String result() throws UnixControlException {
            try {
                return textOf(method, await(answer, limit, method));
            } catch (UnixControlException failed) {
                if (!answer.isDone()) {
                    close();
                }
                throw failed;
            }
        }
    }

    private static void write(int id, String method, String[] params, OutputStream out) {
        var call = JSON.createObjectNode();
        call.put("id", id).put("method", method);
        var array = call.putArray("params");
        List.of(params).forEach(array::add);
        JSON.writeValue(out, call);
    }

    private static String textOf(String method, Reply reply) throws UnixControlException {
        if (reply.error().isPresent()) {
            throw new UnixControlException(
                    method + " was refused: " + reply.error().get().strip());
        }
        return reply.result();
    }

    /** Returns whether calls can be made. */
    public boolean isOpen() {
        return channel.isActive();
    }

    /** Ends the connection. */
    @Override
    public void close() {
        var _ = channel.close();
    }

    private static void stop(EventLoopGroup loop) {
        // The quiet second lets a call that is on its way meet a closed connection, not a loop that is gone.
        var _ = loop.shutdownGracefully(1, 5, TimeUnit.SECONDS);
    }

    private static <T> T await(Future<T> answer, Duration limit, String what) throws UnixControlException {
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new UnixControlException(what + " was not done within " + limit.toMillis() + " ms", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UnixControlException(what + " was interrupted", interrupted);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            throw new UnixControlException(what + " failed: " + cause.getMessage(), cause);
        }
    }
}
