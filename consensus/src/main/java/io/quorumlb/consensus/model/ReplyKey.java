package io.quorumlb.consensus.model;

import io.quorumlb.maglev.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * By what a switch that remembers nothing tells the replies of one member to one listener from all others: the member's
 * address, the protocol and the ports that they come from.
 *
 * @param listener that clients asked
 * @param member that replies
 */
public record ReplyKey(Listener listener, Member member) {
    /**
     * Two keys that one packet may have.
     *
     * @param one a key
     * @param other another
     */
    public record Clash(ReplyKey one, ReplyKey other) {
        /** Returns it for people. */
        public String text() {
            boolean same = one.member.equals(other.member);
            return "replies of %s to listener '%s' (%s) could not be told from %s listener '%s' (%s)"
                    .formatted(
                            one.member.key(),
                            one.listener.name(),
                            one.listener.traffic(),
                            same ? "those to" : "those of %s to".formatted(other.member.key()),
                            other.listener.name(),
                            other.listener.traffic());
        }
    }

    /** Returns true if a packet may have both keys. */
    public boolean overlaps(ReplyKey other) {
        return member.key().address().equals(other.member.key().address())
                && listener.traffic().sharesProtocol(other.listener.traffic())
                && ports().overlaps(other.ports());
    }

    private PortRange ports() {
        return listener.traffic().repliesFrom(member.key().port());
    }

    /**
     * Returns a clash of one of the wanted keys with any other, the first by the ids of members and listeners.
     *
     * @param model whose present members and listeners have the keys
     * @param wanted which keys are looked at; every key is compared with them
     */
    public static Optional<Clash> clash(Model model, Predicate<ReplyKey> wanted) {
        SortedMap<Integer, List<Listener>> listeners = new TreeMap<>();
        model.listeners().values().forEach(listener -> {
            listeners.computeIfAbsent(listener.poolId(), _ -> new ArrayList<>()).add(listener);
            model.fallbackOf(listener)
                    .ifPresent(pool -> listeners
                            .computeIfAbsent(pool.id(), _ -> new ArrayList<>())
                            .add(listener));
        });
        SortedMap<IpAddress, List<ReplyKey>> byAddress = new TreeMap<>();
        List<ReplyKey> looked = new ArrayList<>();
        model.members().values().stream()
                .filter(member -> !member.retired())
                .forEach(member -> listeners
                        .getOrDefault(member.poolId(), List.of())
                        .forEach(listener -> {
                            var key = new ReplyKey(listener, member);
                            byAddress
                                    .computeIfAbsent(member.key().address(), _ -> new ArrayList<>())
                                    .add(key);
                            if (wanted.test(key)) {
                                looked.add(key);
                            }
                        }));
        return looked.stream()
                .flatMap(key -> byAddress.getOrDefault(key.member.key().address(), List.of()).stream()
                        .filter(other -> key.overlaps(other) && !other.equals(key))
                        .map(other -> new Clash(key, other)))
                .findFirst();
    }
}
