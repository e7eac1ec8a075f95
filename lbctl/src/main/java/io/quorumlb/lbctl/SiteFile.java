package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Site;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names a file with a site. */
final class SiteFile {
    private static final int BYTES_MAX = 8 << 20;
    private static final String STANDARD_INPUT = "-";

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            required = true,
            description = "Site as YAML or JSON; several documents are taken together. - reads standard input.")
    private String file = "";

    /**
     * Returns what the file asks for.
     *
     * @throws CommandFailure if it cannot be read, naming the line
     */
    Site read() {
        return SiteReader.read(file.equals(STANDARD_INPUT) ? "standard input" : file, text());
    }

    private String text() {
        try (InputStream in = file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(Path.of(file))) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw failure("is larger than %d bytes: make several of it".formatted(BYTES_MAX));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw failure("is not text in UTF-8");
        } catch (IOException | InvalidPathException e) {
            throw failure("cannot be read: " + e);
        }
    }

    private CommandFailure failure(String what) {
        return new CommandFailure(ExitCode.USAGE, "--file: %s %s".formatted(file, what));
    }
}
