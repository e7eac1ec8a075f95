package io.quorumlb.ovs.openflow;

import io.netty.channel.Channel;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.Meter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A connection to a bridge's management socket that speaks OpenFlow 1.5. It never recovers: once a call has failed
 * for another reason than a refusal, or the switch has fallen silent, a new connection is needed. Calls are for one
 * thread at a time; they block and have a deadline.
 */
public final class OpenFlowConnection implements AutoCloseable {
    /** Few enough that forwarding does not wait for them. */
    private static final int FRAMES_AT_ONCE = 32;

    private final Channel channel;
    private final SwitchHandler handler;
    private final Duration limit;
    private final OpenFlowCounters counters;
    /** Many flow-mods take their time: more than these have the limit once more, and so on. */
    private static final int FLOW_MODS_A_LIMIT = 16_384;

    private int lastBundle;

    OpenFlowConnection(Channel channel, SwitchHandler handler, Duration limit, OpenFlowCounters counters) {
        this.channel = channel;
        this.handler = handler;
        this.limit = limit;
        this.counters = counters;
    }

    /**
     * Returns all ports and groups, and flows.
     *
     * @param which choices of flows; a flow is listed once for each that it belongs to
     * @throws OpenFlowException if not all could be read
     */
    public SwitchDescription read(List<CookieMatch> which) throws OpenFlowException {
        var deadline = Deadline.in(limit);
        int xid = handler.takeXids(Exchange.Read.xids(which.size()));
        var read = new Exchange.Read(xid, which.size());
        handler.begin(read);
        try (var writer = new ChunkWriter(channel, deadline)) {
            RequestEncoder.portsRequest(xid, writer.buffer());
            for (int choice = 0; choice < which.size(); choice++) {
                RequestEncoder.flowsRequest(read.flowsXid(choice), which.get(choice), writer.buffer());
            }
            RequestEncoder.groupsRequest(read.groupsXid(), writer.buffer());
            writer.flush();
            return deadline.await(read.answer(), read::parts, "reading ports, flows and groups back", handler);
        } catch (InterruptedException interrupted) {
            throw Deadline.interrupted(interrupted, handler);
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
     * @param delta changes: groups to put, flows to delete, flows to add, groups to delete
     * @param ownerCookie bits a flow's cookie must have to be deleted
     * @param ownerMask bits of the cookie to compare
     * @throws OpenFlowException if the switch refused it or did not answer
     */
    public void commit(FlowDelta delta, long ownerCookie, long ownerMask) throws OpenFlowException {
        var deadline = Deadline.in(limit.multipliedBy(1 + delta.size() / FLOW_MODS_A_LIMIT));
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
                var _ = deadline.await(
                        exchange.filled(), "filling a bundle of " + delta.size() + " flow-mods", handler);
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
                    deadline.await(exchange.settled(), "committing " + delta.size() + " flow-mods", handler);
            OpenFlowException refusal = exchange.refusal();
            if (refusal != null) {
                throw refusal;
            }
            if (!committed) {
                throw new OpenFlowException(
                        OpenFlowException.Kind.PROTOCOL, "the switch passed the barrier without answering the commit");
            }
        } catch (InterruptedException interrupted) {
            OpenFlowException failed = Deadline.interrupted(interrupted, handler);
            throw commitSent ? failed.afterCommit() : failed;
        } catch (OpenFlowException failed) {
            throw commitSent ? broken(failed).afterCommit() : broken(failed);
        } finally {
            handler.end();
        }
    }

    /**
     * Makes a meter, or gives the one of its number its bound.
     *
     * @throws OpenFlowException if the switch refused it or did not answer
     */
    public void putMeter(Meter meter) throws OpenFlowException {
        int firstXid = handler.takeXids(Exchange.UntilBarrier.xids(2));
        // The first is refused if the meter is there, which is as good.
        settle(
                "putting a meter",
                new Exchange.UntilBarrier(firstXid, 2, meter.toString(), index -> index == 0),
                writer -> {
                    RequestEncoder.addMeter(meter, firstXid, writer.buffer());
                    RequestEncoder.changeMeter(meter, firstXid + 1, writer.buffer());
                });
    }

    /**
     * From now on the connection gets what flows send to the controllers, and answers it so.
     *
     * @param how gets the cookie of the flow and the first bytes of the packet, from the Ethernet destination on; returns the
     *     frame to send back by the port that the packet came in by, empty if there is no answer. Called by the
     *     connection's one thread: it must return at once, and throw nothing whatever the packet is
     */
    public void answerPackets(BiFunction<Long, byte[], Optional<byte[]>> how) {
        handler.answerPackets(how);
    }

    /**
     * Adds a flow and deletes it again, which makes the switch revalidate its cached decisions at once.
     *
     * @param scratch a flow that no packet meets
     * @throws OpenFlowException if the switch refused it or did not answer
     */
    public void touch(Flow scratch) throws OpenFlowException {
        int firstXid = handler.takeXids(Exchange.UntilBarrier.xids(2));
        settle(
                "touching the flow tables",
                new Exchange.UntilBarrier(firstXid, 2, "scratch flow " + scratch),
                writer -> {
                    FlowModEncoder.add(scratch, firstXid, writer.buffer());
                    FlowModEncoder.deleteStrict(scratch.key(), scratch.cookie(), -1, firstXid + 1, writer.buffer());
                });
    }

    /**
     * Gives frames to the switch, a few at a time, and returns the registers of those that came back, in their order. From
     * now on the connection gets what flows send to the controllers.
     *
     * @param frames one frame and what to do with it each
     * @param table where they come back from
     * @throws OpenFlowException if the switch refused one, or not all came back in time
     */
    public List<Match> send(List<OutgoingFrame> frames, int table) throws OpenFlowException {
        var deadline = Deadline.in(limit);
        var exchange = new Exchange.Packets(handler.takeXids(frames.size() + 1), frames.size(), table);
        handler.begin(exchange);
        try (var writer = new ChunkWriter(channel, deadline)) {
            RequestEncoder.wantPackets(exchange.firstXid(), writer.buffer());
            for (int first = 0; first < frames.size(); first += FRAMES_AT_ONCE) {
                int end = Math.min(frames.size(), first + FRAMES_AT_ONCE);
                for (int index = first; index < end; index++) {
                    OutgoingFrame frame = frames.get(index);
                    List<Action> actions = new ArrayList<>(frame.actions());
                    actions.addFirst(new Action.SetField(Exchange.Packets.NUMBER, index + 1L));
                    RequestEncoder.packetOut(frame.bytes(), actions, exchange.firstXid() + 1 + index, writer.buffer());
                }
                writer.flush();
                var _ = deadline.await(exchange.after(end), "the return of " + frames.size() + " packets", handler);
            }
            return exchange.fields();
        } catch (InterruptedException interrupted) {
            throw Deadline.interrupted(interrupted, handler);
        } catch (OpenFlowException failed) {
            throw broken(failed);
        } finally {
            handler.end();
        }
    }

    /**
     * Sends a frame out of a port and returns when the barrier after it is answered.
     *
     * @param port number of the port
     * @param frame Ethernet frame
     * @throws OpenFlowException if the switch refused it or did not answer
     */
    public void packetOut(int port, byte[] frame) throws OpenFlowException {
        int firstXid = handler.takeXids(Exchange.UntilBarrier.xids(1));
        settle(
                "sending a frame",
                new Exchange.UntilBarrier(firstXid, 1, "a frame out of port " + port),
                writer -> RequestEncoder.packetOut(port, frame, firstXid, writer.buffer()));
    }

    /** Writes requests. */
    @FunctionalInterface
    private interface Requests {
        void write(ChunkWriter writer) throws OpenFlowException, InterruptedException;
    }

    /** Sends requests and the barrier after them, and waits for that. */
    private void settle(String doing, Exchange.UntilBarrier exchange, Requests requests) throws OpenFlowException {
        var deadline = Deadline.in(limit);
        handler.begin(exchange);
        try (var writer = new ChunkWriter(channel, deadline)) {
            requests.write(writer);
            RequestEncoder.barrierRequest(exchange.barrierXid(), writer.buffer());
            writer.flush();
            var _ = deadline.await(exchange.settled(), doing, handler);
        } catch (InterruptedException interrupted) {
            throw Deadline.interrupted(interrupted, handler);
        } catch (OpenFlowException failed) {
            throw broken(failed);
        } finally {
            handler.end();
        }
    }

    private void fill(
            ChunkWriter writer, Exchange.Bundle exchange, int bundle, FlowDelta delta, long ownerCookie, long ownerMask)
            throws OpenFlowException, InterruptedException {
        int index = 0;
        for (Group group : delta.putGroups()) {
            int xid = exchange.modXid(index++);
            int start = RequestEncoder.beginBundleAdd(bundle, xid, writer.buffer());
            GroupCodec.put(group, xid, writer.buffer());
            finishAdd(writer, start);
        }
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
        for (int group : delta.deleteGroups()) {
            int xid = exchange.modXid(index++);
            int start = RequestEncoder.beginBundleAdd(bundle, xid, writer.buffer());
            GroupCodec.delete(group, xid, writer.buffer());
            finishAdd(writer, start);
        }
    }

    private void finishAdd(ChunkWriter writer, int start) throws OpenFlowException, InterruptedException {
        Wire.finish(writer.buffer(), start);
        counters.countFlowMod();
        writer.flushIfFull();
    }

    private void discard(ChunkWriter writer, Exchange.Bundle exchange, int bundle, Deadline deadline)
            throws OpenFlowException, InterruptedException {
        RequestEncoder.bundleControl(bundle, BundleStep.DISCARD_REQUEST, exchange.discardXid(), writer.buffer());
        RequestEncoder.barrierRequest(exchange.barrierXid(), writer.buffer());
        writer.flush();
        var _ = deadline.await(exchange.settled(), "discarding a bundle", handler);
    }

    private static String nameOf(FlowDelta delta, int index) {
        int at = index;
        if (at < delta.putGroups().size()) {
            return "group " + delta.putGroups().get(at);
        }
        at -= delta.putGroups().size();
        if (at < delta.delete().size()) {
            return "to delete flow " + delta.delete().get(at);
        }
        at -= delta.delete().size();
        return at < delta.add().size()
                ? "flow " + delta.add().get(at)
                : "to delete group "
                        + Integer.toUnsignedString(
                                delta.deleteGroups().get(at - delta.add().size()));
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
}
