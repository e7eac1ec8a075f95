package io.quorumlb.ovs.unixctl;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Hands the daemon's answers to the calls that wait: they come in the order of the calls. */
final class ReplyHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private record Pending(int id, CompletableFuture<Reply> answer) {}

    private final Deque<Pending> waiting = new ArrayDeque<>();
    private @Nullable IOException ended;

    /** Returns the answer to come. */
    synchronized CompletableFuture<Reply> expect(int id) {
        var answer = new CompletableFuture<Reply>();
        if (ended != null) {
            answer.completeExceptionally(ended);
        } else {
            waiting.addLast(new Pending(id, answer));
        }
        return answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext from, ByteBuf json) throws IOException {
        Reply reply;
        try (var in = new ByteBufInputStream(json)) {
            reply = Reply.parse(in);
        }
        synchronized (this) {
            Pending first = waiting.peekFirst();
            if (first == null || reply.id() != first.id) {
                throw new IOException("the daemon sent an answer that nobody waits for");
            }
            waiting.removeFirst();
            first.answer.complete(reply);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        end(new IOException("not JSON-RPC on the socket: " + cause.getMessage(), cause));
        var _ = failed.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        end(new IOException("the daemon closed the connection"));
    }

    private synchronized void end(IOException cause) {
        if (ended == null) {
            ended = cause;
        }
        for (Pending pending : waiting) {
            pending.answer.completeExceptionally(ended);
        }
        waiting.clear();
    }
}
