package io.quorumlb.consensus.model;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import java.util.Optional;

/**
 * Where clients connect.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among listeners
 * @param vip address that the nodes announce
 * @param traffic which packets to the address it takes
 * @param poolId the pool that serves it
 * @param hash what of a packet decides its slot
 * @param whenEmpty what becomes of its packets while the pool counts as empty
 * @param loadBalancer name of the load balancer whose VIP it is; empty if it stands alone
 * @param meta its labels, and what changed it last
 */
public record Listener(
        int id,
        String name,
        IpAddress vip,
        Traffic traffic,
        int poolId,
        HashFields hash,
        EmptyPolicy whenEmpty,
        Optional<String> loadBalancer,
        ObjectMeta meta)
        implements Configured {
    /** Checks the name. */
    public Listener {
        ObjectName.require("listener name", name);
    }

    /** Makes a listener that stands alone, without labels. */
    public Listener(
            int id, String name, IpAddress vip, Traffic traffic, int poolId, HashFields hash, EmptyPolicy whenEmpty) {
        this(id, name, vip, traffic, poolId, hash, whenEmpty, Optional.empty(), ObjectMeta.NONE);
    }

    /** Makes a listener whose packets are dropped while the pool counts as empty. */
    public Listener(int id, String name, IpAddress vip, Traffic traffic, int poolId, HashFields hash) {
        this(id, name, vip, traffic, poolId, hash, new EmptyPolicy.Drop());
    }

    /** Makes a listener that takes each connection for itself. */
    public Listener(int id, String name, IpAddress vip, Traffic traffic, int poolId) {
        this(id, name, vip, traffic, poolId, HashFields.FIVE_TUPLE);
    }

    /** Makes a listener of one port whose members serve on their own ports. */
    public Listener(int id, String name, IpAddress vip, Protocol protocol, int port, int poolId) {
        this(id, name, vip, Traffic.port(protocol, port), poolId);
    }

    /** Returns this listener under the id the state machine gave, served by a pool. */
    public Listener placed(int given, int pool) {
        return new Listener(given, name, vip, traffic, pool, hash, whenEmpty, loadBalancer, meta);
    }

    /** Returns this listener with another policy. */
    public Listener withWhenEmpty(EmptyPolicy wanted) {
        return new Listener(id, name, vip, traffic, poolId, hash, wanted, loadBalancer, meta);
    }

    /** Returns this listener with other labels, or changed last by another revision. */
    public Listener withMeta(ObjectMeta wanted) {
        return new Listener(id, name, vip, traffic, poolId, hash, whenEmpty, loadBalancer, wanted);
    }

    /** Returns this listener on a VIP of a load balancer, or alone. */
    public Listener withLoadBalancer(Optional<String> wanted) {
        return new Listener(id, name, vip, traffic, poolId, hash, whenEmpty, wanted, meta);
    }

    /** Returns the name of the pool that serves it while its own counts as empty; empty if none does. */
    public Optional<String> fallback() {
        return whenEmpty instanceof EmptyPolicy.FallbackPool(String pool) ? Optional.of(pool) : Optional.empty();
    }
}
