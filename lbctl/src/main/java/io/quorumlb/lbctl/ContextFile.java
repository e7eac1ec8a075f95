package io.quorumlb.lbctl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Where contexts are kept: the user's own file, or the machine's if the user has none. */
final class ContextFile {
    private static final Path OF_MACHINE = Path.of("/etc/lbctl/config.yaml");
    private static final Path NAME = Path.of("lbctl", "config.yaml");
    private static final long BYTES_MAX = 1 << 20;

    private ContextFile() {}

    /**
     * Reads the contexts.
     *
     * @throws CommandFailure naming the file, and the line that is wrong
     */
    static Contexts read(Map<String, String> environment) {
        for (Path file :
                Stream.concat(own(environment).stream(), Stream.of(OF_MACHINE)).toList()) {
            Optional<Contexts> contexts = read(file);
            if (contexts.isPresent()) {
                return contexts.get();
            }
        }
        return Contexts.none();
    }

    private static Optional<Contexts> read(Path file) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw failure(file, "it is longer than %d bytes".formatted(BYTES_MAX));
            }
            return Optional.of(ContextText.parse(Files.readString(file)));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw failure(file, "it cannot be read: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw failure(file, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the user's own file; empty without a home. */
    private static Optional<Path> own(Map<String, String> environment) {
        String configured = environment.getOrDefault("XDG_CONFIG_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        if (!configured.isEmpty()) {
            return Optional.of(Path.of(configured).resolve(NAME));
        }
        return home.isEmpty()
                ? Optional.empty()
                : Optional.of(Path.of(home, ".config").resolve(NAME));
    }

    /**
     * Writes the user's own file, all of it or nothing; nobody else may read it.
     *
     * @return the file
     * @throws CommandFailure if it cannot be written
     */
    static Path write(Contexts contexts, Map<String, String> environment) {
        Path file = own(environment)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE, "there is no place for contexts: set HOME or XDG_CONFIG_HOME"));
        try {
            Path directory = Objects.requireNonNull(file.getParent());
            Files.createDirectories(directory);
            Path whole = Files.createTempFile(
                    directory,
                    "config",
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            try {
                Files.writeString(whole, ContextText.write(contexts), StandardCharsets.UTF_8);
                Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(whole);
            }
            return file;
        } catch (IOException e) {
            throw failure(file, "it cannot be written: " + e.getMessage());
        }
    }

    private static CommandFailure failure(Path file, String what) {
        return new CommandFailure(
                ExitCode.USAGE,
                "%s: %s".formatted(file, what.lines().findFirst().orElse("")));
    }
}
