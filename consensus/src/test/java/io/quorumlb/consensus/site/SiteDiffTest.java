package io.quorumlb.consensus.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.site.SiteChange.Verb;
import io.quorumlb.consensus.site.SiteDiff.Absent;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SiteDiffTest {
    private static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /** A configuration and another that some edits have made of it. */
    private static ClusterState edited(ClusterState state, long seed) {
        var source = new RandomCommands(seed);
        ClusterState next = state;
        for (int i = 0; i < 40; i++) {
            if (source.next(next) instanceof Command.Edit edit) {
                next = StateMachine.apply(next, edit).state();
            }
        }
        return next;
    }

    private static Applied applied(ClusterState state, SitePlan.Changes changes) {
        return StateMachine.apply(state, changes.batch());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsAppliedIsWhatWasAskedForOrNothing(long seed) {
        ClusterState one = RandomCommands.state(seed, 200);
        ClusterState other = edited(one, seed + 1_000);
        reaches(one, Site.of(other.model()));
        reaches(other, Site.of(one.model()));
        reaches(ClusterState.empty(), Site.of(one.model()));
        reaches(one, Site.of(ClusterState.empty().model()));
    }

    private static void reaches(ClusterState from, Site wanted) {
        switch (SiteDiff.between(wanted, from.model(), Absent.DELETED)) {
            case SitePlan.Fixed(var refused) ->
                assertTrue(refused.message().contains("cannot become"), refused::message);
            case SitePlan.Changes changes -> {
                Applied applied = applied(from, changes);
                switch (applied.outcome()) {
                    case Outcome.Done done -> {
                        assertEquals(wanted, Site.of(applied.state().model()));
                        assertEquals(from.revision() + (changes.changes().isEmpty() ? 0 : 1), done.revision());
                    }
                    case Outcome.Refused refused -> {
                        // All that a site that exists somewhere can fail for: too many would retire at once.
                        assertEquals(Outcome.Cause.LIMIT, refused.cause(), refused::message);
                        assertSame(from, applied.state());
                    }
                }
            }
        }
    }

    /** The law above would hold as well if everything were refused. */
    @Test
    void mostSitesAreReached() {
        long reached = seeds().filter(seed -> {
                    ClusterState one = RandomCommands.state(seed, 200);
                    Site wanted = Site.of(edited(one, seed + 1_000).model());
                    return SiteDiff.between(wanted, one.model(), Absent.DELETED) instanceof SitePlan.Changes changes
                            && applied(one, changes).outcome() instanceof Outcome.Done;
                })
                .count();
        assertTrue(reached > 50, () -> reached + " of 100");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aSiteThatIsThereNeedsNoChange(long seed) {
        ClusterState state = RandomCommands.state(seed, 200);
        Site site = Site.of(state.model());
        for (Absent absent : Absent.values()) {
            var changes = assertInstanceOf(SitePlan.Changes.class, SiteDiff.between(site, state.model(), absent));
            assertEquals(List.of(), changes.changes());
            assertSame(state, applied(state, changes).state());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOrderOfObjectsDoesNotMatter(long seed) {
        ClusterState from = RandomCommands.state(seed, 100);
        Site site = Site.of(edited(from, seed + 1_000).model());
        Random random = new Random(seed);
        Site shuffled = new Site(
                shuffled(site.segments(), random),
                shuffled(site.pools(), random),
                shuffled(site.members(), random),
                shuffled(site.listeners(), random),
                shuffled(site.loadBalancers(), random));
        assertEquals(
                SiteDiff.between(site, from.model(), Absent.DELETED),
                SiteDiff.between(shuffled, from.model(), Absent.DELETED));
    }

    private static <T> List<T> shuffled(List<T> objects, Random random) {
        List<T> copy = new ArrayList<>(objects);
        Collections.shuffle(copy, random);
        return copy;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatTheSiteDoesNotHaveIsLeftAlone(long seed) {
        ClusterState from = RandomCommands.state(seed, 200);
        Site nothing = new Site(List.of(), List.of(), List.of(), List.of());
        assertEquals(new SitePlan.Changes(List.of()), SiteDiff.between(nothing, from.model(), Absent.KEPT));
        var changes = assertInstanceOf(
                SitePlan.Changes.class,
                SiteDiff.between(
                        Site.of(edited(from, seed).model()),
                        ClusterState.empty().model(),
                        Absent.KEPT));
        assertTrue(changes.changes().stream().allMatch(change -> change.verb() == Verb.CREATE));
    }

    private static final Segment SEGMENT = new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>());
    private static final Pool POOL = new Pool(
            0,
            "web",
            HashAlgoVersion.V2,
            1024,
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3));

    private static Site site(Segment segment, Pool pool, String address) {
        var member = new Member(0, 0, 0, "be1", MemberKey.parse(address), 1, AdminState.ENABLED);
        var listener = new Listener(0, "www", IpAddress.parse("192.0.2.1"), Protocol.TCP, 80, 0);
        return new Site(
                List.of(segment),
                List.of(pool),
                List.of(new Command.CreateMember("web", "p2", member)),
                List.of(new Command.CreateListener("web", listener)));
    }

    @Test
    void whatNothingCanChangeIsNamedWithWhatToDo() {
        Site site = site(SEGMENT, POOL, "10.20.0.2:80");
        var changes = assertInstanceOf(
                SitePlan.Changes.class,
                SiteDiff.between(site, ClusterState.empty().model(), Absent.KEPT));
        ClusterState state = applied(ClusterState.empty(), changes).state();
        fixed(state, "members[web/be1].address", "create another member", site(SEGMENT, POOL, "10.20.0.3:80"));
        Segment wider = new Segment(0, "p2", IpPrefix.parse("10.20.0.0/23"), new TreeMap<>());
        fixed(state, "segments[p2].prefix", "create another segment", site(wider, POOL, "10.20.0.2:80"));
        Pool larger = new Pool(0, "web", HashAlgoVersion.V2, 2048, POOL.monitor());
        fixed(
                state,
                "pools[web].slots",
                "slots is 1024 and cannot become 2048: create another pool",
                site(SEGMENT, larger, "10.20.0.2:80"));
        Pool older = new Pool(0, "web", HashAlgoVersion.V1, 1024, POOL.monitor());
        fixed(state, "pools[web].algorithm", "create another pool", site(SEGMENT, older, "10.20.0.2:80"));
    }

    private static void fixed(ClusterState state, String field, String words, Site wanted) {
        var fixed = assertInstanceOf(SitePlan.Fixed.class, SiteDiff.between(wanted, state.model(), Absent.KEPT));
        assertEquals(field, fixed.refused().field());
        assertTrue(fixed.refused().message().contains(words), fixed.refused()::message);
    }

    @Test
    void anObjectIsThereOnce() {
        var twice = assertThrows(
                IllegalArgumentException.class,
                () -> new Site(List.of(SEGMENT, SEGMENT), List.of(), List.of(), List.of()));
        assertEquals("site.segments: 'p2' is there twice, once expected", twice.getMessage());
    }
}
