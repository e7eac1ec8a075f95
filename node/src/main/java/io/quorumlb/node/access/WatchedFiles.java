package io.quorumlb.node.access;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/** Files that belong together, and whether their content has changed since it was read. One thread at a time. */
final class WatchedFiles {
    private static final int BYTES_MAX = 1 << 20;

    private final List<Path> files;
    private byte[] seen = new byte[0];

    WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
    }

    /** Returns true if the content, or why it cannot be read, is another than when it was looked at last. */
    boolean changed() {
        byte[] now;
        try {
            now = digest(contents());
        } catch (IOException e) {
            now = digest(List.of(String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8)));
        }
        boolean changed = !MessageDigest.isEqual(now, seen);
        seen = now;
        return changed;
    }

    /**
     * Reads the files.
     *
     * @throws IOException naming the one that cannot be read
     */
    List<byte[]> read() throws IOException {
        List<byte[]> contents = contents();
        seen = digest(contents);
        return contents;
    }

    private List<byte[]> contents() throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files) {
            contents.add(content(file));
        }
        return contents;
    }

    private static byte[] content(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(BYTES_MAX + 1);
            if (content.length > BYTES_MAX) {
                throw new IOException("%s is longer than %d bytes".formatted(file, BYTES_MAX));
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new IOException("%s: there is no such file".formatted(file), e);
        } catch (AccessDeniedException e) {
            throw new IOException("%s: this user may not read it".formatted(file), e);
        }
    }

    private static byte[] digest(List<byte[]> contents) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] content : contents) {
                digest.update(MessageDigest.getInstance("SHA-256").digest(content));
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
