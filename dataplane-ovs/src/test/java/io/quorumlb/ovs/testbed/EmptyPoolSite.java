package io.quorumlb.ovs.testbed;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import io.quorumlb.ovs.pipeline.WhenEmpty;
import io.quorumlb.ovs.testbed.DualStackSite.Role;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@link DualStackSite}, whose listeners of TCP port 80 at the first VIPs do something when pools A have no member; if they
 * refuse their clients, all listeners of these pools do.
 */
public final class EmptyPoolSite {
    private EmptyPoolSite() {}

    /** Returns the id of the listener. */
    public static int listener(IpFamily family) {
        return DualStackSite.pool(family, Role.PORTS) * 10;
    }

    /** Returns the policy to fall back to the pool whose other listeners take all ports. */
    public static WhenEmpty fallback(IpFamily family) {
        return new WhenEmpty.Fallback(DualStackSite.pool(family, Role.ALL_PORTS));
    }

    /** Returns the intent while the pools have their members. */
    public static SwitchIntent serving(Function<IpFamily, WhenEmpty> policy) {
        return with(policy, Standing.SERVING);
    }

    /** Returns the intent when they have none. */
    public static SwitchIntent empty(Function<IpFamily, WhenEmpty> policy) {
        return with(policy, Standing.EMPTY);
    }

    private static SwitchIntent with(Function<IpFamily, WhenEmpty> policy, Standing standing) {
        SwitchIntent whole = DualStackSite.intent();
        List<ServedListener> listeners = whole.listeners().stream()
                .map(listener -> follows(listener, policy)
                        ? new ServedListener(
                                listener.id(),
                                listener.poolId(),
                                listener.vip(),
                                listener.traffic(),
                                listener.hash(),
                                policy.apply(listener.vip().family()))
                        : listener)
                .toList();
        List<ServedPool> pools = whole.pools().stream()
                .map(pool -> ofPorts(pool) ? pool(pool, policy, standing) : pool)
                .toList();
        return new SwitchIntent(whole.uplink(), whole.nextHops(), whole.segments(), listeners, pools, whole.routers());
    }

    private static boolean follows(ServedListener listener, Function<IpFamily, WhenEmpty> policy) {
        IpFamily family = listener.vip().family();
        boolean ofPool = listener.poolId() == DualStackSite.pool(family, Role.PORTS);
        return listener.id() == listener(family) || (ofPool && policy.apply(family) instanceof WhenEmpty.Reject);
    }

    private static boolean ofPorts(ServedPool pool) {
        return pool.id() == DualStackSite.pool(IpFamily.IPV4, Role.PORTS)
                || pool.id() == DualStackSite.pool(IpFamily.IPV6, Role.PORTS);
    }

    private static ServedPool pool(ServedPool pool, Function<IpFamily, WhenEmpty> policy, Standing standing) {
        PoolDefinition full = pool.table().definition();
        SlotTable table = standing == Standing.SERVING
                ? pool.table()
                : SlotTable.build(new PoolDefinition(
                        full.version(),
                        full.poolId(),
                        full.slots(),
                        full.members().stream()
                                .map(member -> member.withEffective(0))
                                .toList()));
        boolean opens = policy.apply(pool.members().getFirst().address().family()) instanceof WhenEmpty.FailOpen;
        return new ServedPool(
                pool.id(),
                pool.generation(),
                table.digest(),
                table,
                pool.members(),
                opens ? Optional.of(pool.table()) : Optional.empty(),
                standing);
    }
}
