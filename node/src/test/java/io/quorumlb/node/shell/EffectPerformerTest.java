package io.quorumlb.node.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.announce.AnnounceResult;
import io.quorumlb.node.announce.Announcer;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EffectPerformerTest {
    private static final NodeEffect.Announce ANNOUNCE =
            new NodeEffect.Announce(new TreeSet<>(List.of(IpAddress.parse("10.99.0.10"))));
    private static final NodeEffect.Withdraw WITHDRAW = new NodeEffect.Withdraw("test");

    private final BlockingQueue<NodeEvent> answers = new LinkedBlockingQueue<>();

    @Test
    void whileTheAnnouncerIsBusyOnlyTheLatestCallWaits() throws InterruptedException {
        var announcer = new SlowAnnouncer();
        try (EffectPerformer performer = performer(announcer, new BrokenSwitch())) {
            performer.accept(ANNOUNCE);
            announcer.started.acquire();
            performer.accept(ANNOUNCE);
            performer.accept(WITHDRAW);
            announcer.mayEnd.release(10);
            assertEquals(new NodeEvent.AnnouncementRead(true, ""), next());
            assertEquals(new NodeEvent.AnnouncementRead(false, ""), next());
            performer.accept(ANNOUNCE);
            assertEquals(new NodeEvent.AnnouncementRead(true, ""), next());
        }
    }

    @Test
    void aDefectOfAnAdapterIsAnAnswerToo() throws InterruptedException {
        try (EffectPerformer performer = performer(new BrokenAnnouncer(), new BrokenSwitch())) {
            performer.accept(new NodeEffect.ReadSwitch());
            assertTrue(assertInstanceOf(NodeEvent.SwitchFailed.class, next())
                    .reason()
                    .contains("broken"));
            performer.accept(new NodeEffect.ChangeSwitch(new FlowDelta(List.of(), List.of())));
            assertEquals(new NodeEvent.SwitchFailed("refused"), next());
            for (int i = 0; i < 2; i++) {
                performer.accept(ANNOUNCE);
                assertTrue(assertInstanceOf(NodeEvent.AnnouncementRead.class, next())
                        .problem()
                        .contains("broken"));
            }
        }
    }

    @Test
    void whatIsSaidIsCountedByItsCode() {
        try (EffectPerformer performer = performer(new BrokenAnnouncer(), new BrokenSwitch())) {
            performer.accept(new NodeEffect.Say(NodeEffect.Severity.INFO, "member-health", "one"));
            performer.accept(new NodeEffect.Say(NodeEffect.Severity.WARNING, "member-health", "two"));
            performer.accept(new NodeEffect.Say(NodeEffect.Severity.INFO, "routes-changed", "three"));
            assertEquals(
                    "{member-health=2, routes-changed=1}", performer.events().toString());
        }
    }

    private NodeEvent next() throws InterruptedException {
        return Optional.ofNullable(answers.poll(10, TimeUnit.SECONDS)).orElseThrow();
    }

    private EffectPerformer performer(Announcer announcer, Datapath datapath) {
        return new EffectPerformer(
                new EffectPerformer.Ports(
                        _ -> new ProbeResult(true, ""),
                        _ -> true,
                        _ -> {},
                        new NoLog(),
                        datapath,
                        Optional::empty,
                        _ -> {},
                        _ -> {},
                        announcer),
                answers::add);
    }

    /** Says when a call starts and waits until it may end. */
    private static final class SlowAnnouncer implements Announcer {
        final Semaphore started = new Semaphore(0);
        final Semaphore mayEnd = new Semaphore(0);

        @Override
        public AnnounceResult announce(SortedSet<IpAddress> vips) {
            return ended(true);
        }

        @Override
        public AnnounceResult keep() {
            return ended(true);
        }

        @Override
        public AnnounceResult restore() {
            return ended(true);
        }

        @Override
        public AnnounceResult withdraw() {
            return ended(false);
        }

        private AnnounceResult ended(boolean announced) {
            started.release();
            mayEnd.acquireUninterruptibly();
            return new AnnounceResult(announced, "");
        }
    }

    private static final class BrokenAnnouncer implements Announcer {
        @Override
        public AnnounceResult announce(SortedSet<IpAddress> vips) {
            throw new IllegalStateException("broken");
        }

        @Override
        public AnnounceResult keep() {
            throw new IllegalStateException("broken");
        }

        @Override
        public AnnounceResult restore() {
            throw new IllegalStateException("broken");
        }

        @Override
        public AnnounceResult withdraw() {
            throw new IllegalStateException("broken");
        }
    }

    private static final class BrokenSwitch implements Datapath {
        @Override
        public Fingerprint fingerprint(MacAddress source, MacAddress destination) {
            throw new IllegalStateException("a defect");
        }

        @Override
        public SwitchSnapshot readBack() {
            throw new IllegalStateException("broken");
        }

        @Override
        public SwitchSnapshot readBack(SortedSet<Integer> pools) throws DatapathException {
            throw new DatapathException(DatapathException.Outcome.UNREACHABLE, "gone");
        }

        @Override
        public void install(FlowDelta delta) throws DatapathException {
            throw new DatapathException(DatapathException.Outcome.REFUSED, "refused");
        }

        @Override
        public void packetOut(int port, byte[] frame) throws DatapathException {
            throw new DatapathException(DatapathException.Outcome.REFUSED, "refused");
        }

        @Override
        public boolean connected() {
            return false;
        }

        @Override
        public long flowModsSent() {
            return 0;
        }

        @Override
        public void close() {}
    }

    private static final class NoLog implements GenerationLog {
        @Override
        public CompletableFuture<ProposeOutcome> propose(Command command) {
            return CompletableFuture.completedFuture(new ProposeOutcome.NotLeader(Optional.empty()));
        }

        @Override
        public CompletableFuture<Boolean> readBarrier() {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void close() {}
    }
}
