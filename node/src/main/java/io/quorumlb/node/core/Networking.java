package io.quorumlb.node.core;

import java.time.Duration;
import java.util.Optional;

/** Reads the kernel's interfaces and neighbours once a second. */
final class Networking {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private Networking() {}

    static void read(Turn turn, NetworkView view) {
        // Nearly always it is as it was, and then the same object: comparing is cheap.
        Optional<NetworkView> known = turn.network.view().filter(view::equals).or(() -> Optional.of(view));
        turn.network = new NetworkState(known, turn.network.nextRead());
        Claims.read(turn, view);
    }

    static void due(Turn turn) {
        if (turn.now.reached(turn.network.nextRead())) {
            turn.network = new NetworkState(turn.network.view(), turn.now.plus(PERIOD));
            turn.want(new NodeEffect.ReadNetwork());
        }
    }
}
