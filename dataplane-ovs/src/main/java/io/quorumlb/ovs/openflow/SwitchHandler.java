package io.quorumlb.ovs.openflow;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.timeout.IdleStateEvent;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Match;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Greets the switch, answers its echoes, sends ours, and hands answers to the exchange that waits for them. */
final class SwitchHandler extends SimpleChannelInboundHandler<Message> {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchHandler.class);
    /** More than the pieces of a bundle that may be on their way: only answers to questions can add up to it. */
    private static final long UNSENT_BYTES_MAX = 4 << 20;

    private final Duration silenceMax;
    private final OpenFlowCounters counters;
    private final SwitchWatcher watcher;
    private final AtomicInteger nextXid = new AtomicInteger(1);
    private final CompletableFuture<Message.Features> ready = new CompletableFuture<>();
    private volatile @Nullable ChannelHandlerContext context;
    private volatile @Nullable Exchange exchange;
    private volatile @Nullable OpenFlowException failure;
    private volatile @Nullable BiFunction<Long, byte[], Optional<byte[]>> answers;
    private volatile long lastHeardNanos = System.nanoTime();
    private boolean greeted;
    private int monitorXid;

    /**
     * Makes the handler of one connection.
     *
     * @param silenceMax a switch that says nothing for so long, although asked, is dead
     * @param counters where to count
     * @param watcher hears of changes by others and of the end; called by the connection's one thread or by who ends it
     */
    SwitchHandler(Duration silenceMax, OpenFlowCounters counters, SwitchWatcher watcher) {
        this.silenceMax = silenceMax;
        this.counters = counters;
        this.watcher = watcher;
    }

    /** Completes when the greetings are done. */
    CompletableFuture<Message.Features> ready() {
        return ready;
    }

    /** Returns whether the switch was heard within the longest silence. */
    boolean hearsSwitch() {
        return failure == null && silenceNanos() < silenceMax.toNanos();
    }

    /** Returns why the connection ended, null while it works. */
    @Nullable
    OpenFlowException failure() {
        return failure;
    }

    /** Takes so many transaction ids, of which the first is returned. */
    int takeXids(int count) {
        return nextXid.getAndAdd(count);
    }

    /** Makes an exchange the one that answers go to; at most one at a time. */
    void begin(Exchange waiting) {
        exchange = waiting;
        OpenFlowException ended = failure;
        if (ended != null) {
            waiting.fail(ended);
        }
    }

    /** Ends the exchange, whatever came of it. */
    void end() {
        exchange = null;
    }

    /** Ends the connection for a reason; the first reason counts. Any thread. */
    synchronized void fail(OpenFlowException cause) {
        if (failure != null) {
            return;
        }
        failure = cause;
        if (cause.kind() == OpenFlowException.Kind.PROTOCOL) {
            counters.countProtocolError();
        }
        if (!ready.completeExceptionally(cause)) {
            watcher.lost().accept(cause.getMessage());
        }
        Exchange waiting = exchange;
        if (waiting != null) {
            waiting.fail(cause);
        }
        ChannelHandlerContext channel = context;
        if (channel != null) {
            var _ = channel.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        send(active, RequestEncoder::hello);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext from, Message message) {
        lastHeardNanos = System.nanoTime();
        if (!greeted) {
            greet(from, message);
            return;
        }
        switch (message) {
            case Message.EchoRequest request -> send(from, (_, out) -> RequestEncoder.echoReply(request, out));
            case Message.EchoReply _, Message.Notice _ -> {
                // Hearing it was all that matters.
            }
            case Message.Features features
            when !ready.isDone() -> {
                // Before anything is read: no change falls between the first reading and the first notice.
                send(from, this::monitor);
                ready.complete(features);
            }
            case Message.FlowUpdates(int xid, var changes) when xid == 0 || xid == monitorXid -> changed(changes);
            case Message.PacketIn packet -> arrived(from, packet);
            default -> answer(message);
        }
    }

    /** Has packets that flows send to the controllers sent here, and answered so. Any thread. */
    void answerPackets(BiFunction<Long, byte[], Optional<byte[]>> how) {
        answers = how;
        ChannelHandlerContext open = context;
        if (open != null) {
            send(open, RequestEncoder::wantPackets);
        }
    }

    private void arrived(ChannelHandlerContext from, Message.PacketIn packet) {
        if (exchange instanceof Exchange.Packets waiting) {
            waiting.returned(packet);
            return;
        }
        BiFunction<Long, byte[], Optional<byte[]>> how = answers;
        Optional<Match.Term> port = packet.fields().term(Field.IN_PORT);
        // A switch that is busy with changes has better to do; whoever gets no answer asks again.
        if (how == null || port.isEmpty() || !from.channel().isWritable()) {
            return;
        }
        how.apply(packet.cookie(), ByteBufUtil.decodeHexDump(packet.frame()))
                .ifPresent(answer -> send(
                        from,
                        (xid, out) -> RequestEncoder.packetOut((int) port.get().value(), answer, xid, out)));
    }

    private void greet(ChannelHandlerContext from, Message message) {
        switch (message) {
            case Message.Hello hello
            when speaks(hello) -> {
                greeted = true;
                send(from, RequestEncoder::featuresRequest);
            }
            case Message.Hello hello ->
                fail(protocol("the switch does not speak OpenFlow 1.5 (highest version on the wire "
                        + hello.headerVersion() + ", bitmap 0x" + Integer.toHexString(hello.versionBitmap())
                        + "); allow OpenFlow15 in the bridge's protocols"));
            case Message.Failure refusal ->
                fail(protocol("the switch refused the greeting: " + ErrorNames.of(refusal) + " " + refusal.data()));
            default ->
                fail(protocol("the switch must greet first, it sent "
                        + message.getClass().getSimpleName()));
        }
    }

    private static boolean speaks(Message.Hello hello) {
        return hello.versionBitmap() == 0
                ? hello.headerVersion() >= Wire.VERSION
                : (hello.versionBitmap() & (1 << Wire.VERSION)) != 0;
    }

    private void monitor(int xid, ByteBuf out) {
        monitorXid = xid;
        RequestEncoder.flowMonitorRequest(xid, out);
    }

    private void changed(List<FlowChange> changes) {
        if (!changes.isEmpty()) {
            counters.countForeignChanges(changes.size());
            LOG.debug(
                    "the switch says that somebody else changed {} flows, first {}",
                    changes.size(),
                    changes.getFirst());
            watcher.touched().run();
        }
    }

    private void answer(Message message) {
        Exchange waiting = exchange;
        if (waiting != null && waiting.owns(message.xid())) {
            waiting.receive(message);
        } else if (message instanceof Message.Failure refusal && refusal.xid() == monitorXid) {
            LOG.warn("the switch does not say when somebody else changes flows: {}", ErrorNames.of(refusal));
        } else if (message instanceof Message.Failure) {
            counters.countStrayError();
        } else {
            throw new MalformedMessageException("no request has transaction "
                    + Integer.toUnsignedString(message.xid()) + " of a "
                    + message.getClass().getSimpleName());
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext idle, Object event) {
        if (event instanceof IdleStateEvent) {
            // While a call waits its own deadline counts: a large commit keeps the switch busy.
            if (exchange == null && silenceNanos() >= silenceMax.toNanos()) {
                fail(new OpenFlowException(
                        OpenFlowException.Kind.TIMEOUT,
                        "the switch has not answered an echo for " + silenceMax.toMillis() + " ms"));
            } else {
                send(idle, RequestEncoder::echoRequest);
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        fail(
                cause instanceof DecoderException
                        ? new OpenFlowException(
                                OpenFlowException.Kind.PROTOCOL,
                                "not OpenFlow 1.5 on the socket: " + cause.getMessage(),
                                cause)
                        : new OpenFlowException(
                                OpenFlowException.Kind.UNREACHABLE,
                                "the connection to the switch broke: " + cause.getMessage(),
                                cause));
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        fail(new OpenFlowException(OpenFlowException.Kind.UNREACHABLE, "the switch closed the connection"));
    }

    private long silenceNanos() {
        return System.nanoTime() - lastHeardNanos;
    }

    private void send(ChannelHandlerContext to, BiConsumer<Integer, ByteBuf> request) {
        if (to.channel().bytesBeforeWritable() > UNSENT_BYTES_MAX) {
            fail(protocol(
                    "the switch asks without end and takes no answers: " + UNSENT_BYTES_MAX + " bytes wait for it"));
            return;
        }
        ByteBuf out = to.alloc().buffer();
        request.accept(takeXids(1), out);
        var _ = to.writeAndFlush(out);
    }

    private static OpenFlowException protocol(String message) {
        return new OpenFlowException(OpenFlowException.Kind.PROTOCOL, message);
    }
}
