package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends messages in large pieces, and waits while too many pieces are on their way, so that memory stays bounded
 * whatever the number of messages. For one thread, not that of the channel.
 */
final class ChunkWriter implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int FULL_BYTES = CHUNK_BYTES - (CHUNK_BYTES >> 3);
    private static final int CHUNKS_IN_FLIGHT_MAX = 16;

    private final Channel channel;
    private final Deadline deadline;
    private final Semaphore free = new Semaphore(CHUNKS_IN_FLIGHT_MAX);
    private ByteBuf chunk;

    ChunkWriter(Channel channel, Deadline deadline) {
        this.channel = channel;
        this.deadline = deadline;
        this.chunk = channel.alloc().buffer(CHUNK_BYTES);
    }

    /** Returns the buffer to append the next message to. */
    ByteBuf buffer() {
        return chunk;
    }

    /**
     * Sends what was appended if it is a whole piece.
     *
     * @throws OpenFlowException if the switch does not take it before the deadline
     */
    void flushIfFull() throws OpenFlowException, InterruptedException {
        if (chunk.readableBytes() >= FULL_BYTES) {
            flush();
        }
    }

    /**
     * Sends what was appended.
     *
     * @throws OpenFlowException if the switch does not take it before the deadline
     */
    void flush() throws OpenFlowException, InterruptedException {
        if (!free.tryAcquire(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
            throw deadline.missedBy("sending to the switch");
        }
        ByteBuf full = chunk;
        chunk = channel.alloc().buffer(CHUNK_BYTES);
        // A failed write ends the channel, and the handler tells the waiting call why.
        var _ = channel.writeAndFlush(full).addListener(_ -> free.release());
    }

    /** Gives back the buffer. */
    @Override
    public void close() {
        chunk.release();
    }
}
