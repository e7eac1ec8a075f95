package io.quorumlb.node.announce;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Looks whether BIRD is there; changes nothing. */
public final class BirdLook {
    private BirdLook() {}

    /**
     * Returns why BIRD cannot be spoken to; empty if it can.
     *
     * @param socket BIRD's control socket
     * @param limit time for its answer
     */
    public static Optional<String> trouble(Path socket, Duration limit) {
        try (BirdSession bird = BirdSession.open(socket, limit)) {
            var _ = bird.require("show status");
            return Optional.empty();
        } catch (BirdException e) {
            return Optional.of(e.getMessage());
        }
    }
}
