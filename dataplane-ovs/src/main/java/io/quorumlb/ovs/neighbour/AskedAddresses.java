package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The addresses that were asked for lately. Safe from any thread. */
final class AskedAddresses {
    /** Longer than any address goes without being asked for. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private record Address(String interfaceName, IpAddress address) {}

    private final ConcurrentMap<Address, Long> at = new ConcurrentHashMap<>();
    private final AtomicLong nextCleaning = new AtomicLong(System.nanoTime() + REMEMBERED.toNanos());

    void add(List<NeighbourQuestion> questions) {
        long now = System.nanoTime();
        questions.forEach(question -> at.put(new Address(question.interfaceName(), question.target()), now));
        long due = nextCleaning.get();
        if (now - due >= 0 && nextCleaning.compareAndSet(due, now + REMEMBERED.toNanos())) {
            at.values().removeIf(asked -> now - asked > REMEMBERED.toNanos());
        }
    }

    boolean contains(String interfaceName, IpAddress address) {
        return at.containsKey(new Address(interfaceName, address));
    }
}
