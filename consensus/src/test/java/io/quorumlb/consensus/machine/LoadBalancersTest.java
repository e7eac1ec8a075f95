package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.LoadBalancer.Service;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.ObjectMeta;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoadBalancersTest {
    private static final HealthMonitor MONITOR =
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);

    private ClusterState state = ClusterState.empty();

    private Outcome.Done done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        state = applied.state();
        return assertInstanceOf(
                Outcome.Done.class, applied.outcome(), () -> applied.outcome().toString());
    }

    private void refused(Cause cause, String field, String words, Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state());
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause(), refused::message);
        assertEquals(field, refused.field());
        assertTrue(refused.message().contains(words), refused::message);
    }

    private static LoadBalancer owner(String name, String... vips) {
        var addresses = new TreeSet<IpAddress>();
        for (String vip : vips) {
            addresses.add(IpAddress.parse(vip));
        }
        return new LoadBalancer(0, name, addresses, Service.ENABLED, "", ObjectMeta.NONE);
    }

    private static Command.Edit create(String name, String... vips) {
        return new Command.CreateLoadBalancer(owner(name, vips));
    }

    private static Listener listener(String name, String vip, int port) {
        return new Listener(0, name, IpAddress.parse(vip), Protocol.TCP, port, 0);
    }

    private static Listener owned(String name, String vip, int port, String owner) {
        return listener(name, vip, port).withLoadBalancer(Optional.of(owner));
    }

    private static Command.Edit listen(Listener listener) {
        return new Command.CreateListener("web", listener);
    }

    @BeforeEach
    void configure() {
        done(new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        done(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 256, MONITOR)));
    }

    @Test
    void aListenerOnItsVipNamesIt() {
        assertEquals(1, done(create("shop", "192.0.2.1", "2001:db8::1")).id());
        done(listen(owned("www", "192.0.2.1", 80, "shop")));
        refused(
                Cause.INVALID,
                "listener.vip",
                "VIP 192.0.2.1 is that of load balancer 'shop'",
                listen(listener("tls", "192.0.2.1", 443)));
        refused(
                Cause.INVALID,
                "listener.vip",
                "VIP 192.0.2.2 is none of load balancer 'shop' (192.0.2.1, 2001:db8::1)",
                listen(owned("tls", "192.0.2.2", 443, "shop")));
        refused(
                Cause.NOT_FOUND,
                "listener.load_balancer",
                "load balancer 'stop'",
                listen(owned("tls", "192.0.2.2", 443, "stop")));
        refused(
                Cause.ALREADY_EXISTS,
                "listener.vip",
                "tcp 80 as listener 'www'",
                listen(owned("tls", "192.0.2.1", 80, "shop")));
        done(listen(owned("tls", "192.0.2.1", 443, "shop")));
        done(listen(listener("alone", "192.0.2.9", 443)));
    }

    @Test
    void aVipIsOneLoadBalancers() {
        done(create("shop", "192.0.2.1"));
        refused(
                Cause.ALREADY_EXISTS,
                "load_balancer.vip",
                "VIP 192.0.2.1 as that of load balancer 'shop'",
                create("news", "192.0.2.1"));
        refused(Cause.ALREADY_EXISTS, "load_balancer.name", "load balancer 'shop'", create("shop", "192.0.2.2"));
        refused(Cause.INVALID, "load_balancer.vip", "lies in segment 'p2'", create("news", "10.20.0.9"));
        refused(Cause.INVALID, "load_balancer.vip", "loopback", create("news", "127.0.0.1"));
        refused(
                Cause.INVALID,
                "segment.prefix",
                "contains VIP 192.0.2.1 of load balancer 'shop'",
                new Command.CreateSegment(new Segment(0, "p3", IpPrefix.parse("192.0.2.0/24"), new TreeMap<>())));
    }

    /** Sites that began with listeners alone get load balancers without a moment without the VIP. */
    @Test
    void listenersThatStandAloneAreTakenOverInOneChange() {
        done(listen(listener("www", "192.0.2.1", 80)));
        refused(
                Cause.INVALID,
                "load_balancer.vip",
                "VIP 192.0.2.1 is that of listener 'www', which does not name load balancer 'shop'",
                create("shop", "192.0.2.1"));
        long id = done(new Command.Batch(List.of(
                        create("shop", "192.0.2.1"),
                        new Command.SetListener("web", owned("www", "192.0.2.1", 80, "shop")))))
                .revision();
        assertEquals(state.revision(), id);
        assertEquals(
                Optional.of("shop"), state.model().listener("www").orElseThrow().loadBalancer());
        refused(
                Cause.IN_USE,
                "name",
                "load balancer 'shop' is used by listener 'www'",
                new Command.DeleteLoadBalancer("shop"));
        done(new Command.Batch(List.of(
                new Command.SetListener("web", listener("www", "192.0.2.1", 80)),
                new Command.DeleteLoadBalancer("shop"))));
        assertEquals(0, state.model().loadBalancers().size());
    }

    @Test
    void madeAnewInOneChangeItMustStillFitItsListeners() {
        done(create("shop", "192.0.2.1"));
        done(listen(owned("www", "192.0.2.1", 80, "shop")));
        refused(
                Cause.INVALID,
                "load_balancers[shop].vip",
                "VIP 192.0.2.1 of listener 'www' is none of load balancer 'shop'",
                new Command.Batch(List.of(new Command.DeleteLoadBalancer("shop"), create("shop", "192.0.2.7"))));
        done(new Command.Batch(
                List.of(new Command.DeleteLoadBalancer("shop"), create("shop", "192.0.2.1", "2001:db8::1"))));
        assertEquals(2, state.model().loadBalancer("shop").orElseThrow().id(), "no id is given twice");
    }

    @Test
    void itIsDisabledAndDescribed() {
        done(create("shop", "192.0.2.1"));
        assertEquals(new TreeSet<>(), state.model().disabledVips());
        done(new Command.SetLoadBalancer("shop", Optional.of(Service.DISABLED), Optional.empty()));
        assertEquals(
                new TreeSet<>(List.of(IpAddress.parse("192.0.2.1"))),
                state.model().disabledVips());
        done(new Command.SetLoadBalancer("shop", Optional.empty(), Optional.of("the shop")));
        LoadBalancer shop = state.model().loadBalancer("shop").orElseThrow();
        assertEquals(Service.DISABLED, shop.service());
        assertEquals("the shop", shop.description());
        assertEquals(state.revision(), shop.meta().revision());
        refused(
                Cause.INVALID,
                "load_balancer.description",
                "256 characters: 0..255",
                new Command.SetLoadBalancer("shop", Optional.empty(), Optional.of("x".repeat(256))));
        refused(
                Cause.NOT_FOUND,
                "load_balancer.name",
                "load balancer 'stop'",
                new Command.SetLoadBalancer("stop", Optional.empty(), Optional.empty()));
    }

    @Test
    void itHasOneAddressOfAVersionOfIp() {
        for (String[] vips : List.of(new String[] {}, new String[] {"192.0.2.1", "192.0.2.2"})) {
            String message = String.valueOf(assertThrows(IllegalArgumentException.class, () -> owner("shop", vips))
                    .getMessage());
            assertTrue(message.contains("one address, or one of each version of IP expected"), message);
        }
    }
}
