package io.quorumlb.node.announce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A short text file that readers see either as it was or as it becomes, never half written.
 *
 * @param path in a directory that can be written
 */
record SmallFile(Path path) {
    /** Returns the content; empty if there is no such file. */
    Optional<String> read() throws IOException {
        try {
            return Optional.of(Files.readString(path));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    /** Replaces the content. */
    void write(String content) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.writeString(fresh, content);
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Replaces the content if it differs. */
    void ensure(String content) throws IOException {
        if (!read().equals(Optional.of(content))) {
            write(content);
        }
    }
}
