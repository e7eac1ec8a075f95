package io.quorumlb.ovs.ovsdb;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.quorumlb.ovs.flow.SwitchDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One connection to the database: asks to watch, keeps the rows, answers and asks echoes (RFC 7047, 4.1). Tells the
 * watcher what the rows say, not more often than every {@link #GATHER}, however often they change.
 */
final class DatabaseHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration GATHER = Duration.ofMillis(20);
    private static final String DATABASE = "Open_vSwitch";
    private static final String MONITOR = "monitor";
    private static final String ECHO = "echo";

    private final String bridge;
    private final Duration silenceMax;
    private final DatabaseWatcher watcher;
    private final Rows rows = new Rows();
    private Optional<SwitchDatabase> told = Optional.empty();
    private String failure = "";
    private long lastHeardNanos = System.nanoTime();
    private boolean watching;
    private boolean telling;

    /**
     * Makes the handler of one connection.
     *
     * @param bridge name of the bridge to watch
     * @param silenceMax a database that says nothing for so long, although asked, is given up
     * @param watcher hears what the database says
     */
    DatabaseHandler(String bridge, Duration silenceMax, DatabaseWatcher watcher) {
        this.bridge = bridge;
        this.silenceMax = silenceMax;
        this.watcher = watcher;
    }

    /** Returns why the connection had to be ended, empty if it works or the database ended it. */
    String failure() {
        return failure;
    }

    /** Returns whether the database has said what it holds. */
    boolean watching() {
        return watching;
    }

    @Override
    public void channelActive(ChannelHandlerContext active) {
        ObjectNode request = JSON.createObjectNode();
        request.put("id", MONITOR).put("method", MONITOR);
        request.putArray("params").add(DATABASE).addNull().add(Rows.wanted());
        send(active, request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext from, ByteBuf json) throws IOException {
        lastHeardNanos = System.nanoTime();
        JsonNode message;
        try (var in = new ByteBufInputStream(json)) {
            message = JSON.readTree(in);
        }
        String method = message.path("method").asString("");
        if (method.equals(ECHO)) {
            ObjectNode reply = JSON.createObjectNode();
            reply.set("id", message.path("id"));
            reply.set("result", message.path("params"));
            reply.putNull("error");
            send(from, reply);
        } else if (method.equals("update") && watching) {
            rows.update(message.path("params").path(1));
            tell(from);
        } else if (method.isEmpty() && message.path("id").asString("").equals(MONITOR) && !watching) {
            begin(from, message);
        } else if (method.isEmpty() && !message.path("id").asString("").equals(ECHO)) {
            throw new MalformedDatabaseException("an answer that nobody waits for");
        }
    }

    private void begin(ChannelHandlerContext from, JsonNode reply) {
        JsonNode error = reply.path("error");
        if (!error.isNull() && !error.isMissingNode()) {
            throw new MalformedDatabaseException("it refused to be watched: " + error);
        }
        rows.update(reply.path("result"));
        watching = true;
        tell(from);
    }

    private void tell(ChannelHandlerContext from) {
        if (!telling) {
            telling = true;
            var _ = from.executor().schedule(() -> say(from), GATHER.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void say(ChannelHandlerContext from) {
        telling = false;
        if (!failure.isEmpty()) {
            return;
        }
        try {
            SwitchDatabase now = rows.view(bridge);
            if (!told.equals(Optional.of(now))) {
                told = Optional.of(now);
                watcher.read().accept(now);
            }
        } catch (MalformedDatabaseException malformed) {
            end(from, String.valueOf(malformed.getMessage()));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext idle, Object event) {
        if (event instanceof IdleStateEvent) {
            if (System.nanoTime() - lastHeardNanos >= silenceMax.toNanos()) {
                end(idle, "it has not answered for " + silenceMax.toMillis() + " ms");
            } else {
                ObjectNode request = JSON.createObjectNode();
                request.put("id", ECHO).put("method", ECHO);
                request.putArray("params");
                send(idle, request);
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failed, Throwable cause) {
        Throwable reason = cause.getCause() instanceof MalformedDatabaseException inner ? inner : cause;
        end(
                failed,
                reason instanceof MalformedDatabaseException
                        ? String.valueOf(reason.getMessage())
                        : "not JSON-RPC on the socket: " + reason.getMessage());
    }

    private void end(ChannelHandlerContext context, String reason) {
        if (failure.isEmpty()) {
            failure = reason;
        }
        var _ = context.close();
    }

    private void send(ChannelHandlerContext to, ObjectNode message) {
        if (!to.channel().isWritable()) {
            end(to, "it does not take answers");
            return;
        }
        ByteBuf out = to.alloc().buffer();
        try (OutputStream stream = new ByteBufOutputStream(out)) {
            JSON.writeValue(stream, message);
        } catch (IOException impossible) {
            throw new MalformedDatabaseException("cannot write to memory: " + impossible.getMessage());
        }
        var _ = to.writeAndFlush(out);
    }
}
