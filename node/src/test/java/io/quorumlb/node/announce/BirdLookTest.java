package io.quorumlb.node.announce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BirdLookTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @TempDir
    Path directory = Path.of("");

    @Test
    void aBirdThatRunsIsNoTroubleAndOneThatIsGoneIs() throws IOException {
        Path socket;
        try (var bird = RealBird.start(directory)) {
            socket = bird.socket;
            assertEquals(Optional.empty(), BirdLook.trouble(socket, LIMIT));
        }
        String trouble = BirdLook.trouble(socket, LIMIT).orElse("");
        assertTrue(trouble.startsWith("BIRD cannot be reached at " + socket), trouble);
    }
}
