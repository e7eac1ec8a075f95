package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code scripts/lint-api} says of the API, and of changes to a copy of it. */
class ApiLintTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FILES = Path.of("proto", "src", "main", "proto", "quorumlb", "v1");

    private static final Path LINT = Path.of("proto", "lint");

    @TempDir
    private Path copy;

    @BeforeEach
    void copy() throws IOException {
        NodeProgram.assumeInstalled();
        Files.createDirectories(copy.resolve(FILES));
        Files.createDirectories(copy.resolve("scripts"));
        for (Path file :
                List.of(Path.of("scripts", "lint-api"), Path.of("proto", "buf.yaml"), Path.of("proto", "api.binpb"))) {
            Files.copy(ROOT.resolve(file), copy.resolve(file));
        }
        try (Stream<Path> files = Files.list(ROOT.resolve(FILES))) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(FILES).resolve(file.getFileName().toString()));
            }
        }
        Files.createSymbolicLink(copy.resolve(LINT), ROOT.resolve(LINT));
    }

    @AfterEach
    void unlink() throws IOException {
        Files.deleteIfExists(copy.resolve(LINT));
    }

    @Test
    void theApiIsAsItShouldBe() throws Exception {
        NodeProgram lint = lint();
        assertEquals(0, lint.status(), lint.output());
    }

    @Test
    void anotherNumberOfAFieldIsABreakUntilItIsAccepted() throws Exception {
        change("string request_id = 1;", "string request_id = 19;");
        NodeProgram broken = lint();
        assertEquals(1, broken.status(), broken.output());
        assertTrue(
                broken.output().contains("field \"1\" with name \"request_id\" on message \"WriteOptions\""),
                broken::output);
        NodeProgram accepted = lint("--accept");
        assertEquals(0, accepted.status(), accepted.output());
        assertTrue(accepted.output().contains("this breaks clients of before, and is accepted"), accepted::output);
        assertEquals(new NodeProgram(0, ""), lint());
    }

    @Test
    void whatIsAddedBreaksNobody() throws Exception {
        change("string request_id = 1;", "string request_id = 1;\n  string other_id = 19;");
        NodeProgram grown = lint();
        assertEquals(0, grown.status(), grown.output());
        assertTrue(grown.output().contains("the API has grown"), grown::output);
    }

    @Test
    void styleIsChecked() throws Exception {
        change("string request_id = 1;", "string request_id = 1;\n  string otherId = 19;");
        NodeProgram lint = lint();
        assertTrue(
                lint.status() != 0 && lint.output().contains("\"otherId\" should be lower_snake_case"), lint::output);
    }

    @Test
    void wrongArgumentsAreSaid() throws Exception {
        NodeProgram lint = lint("--accpt");
        assertEquals(64, lint.status(), lint.output());
        assertTrue(lint.output().contains("do not understand '--accpt'"), lint::output);
    }

    private void change(String before, String after) throws IOException {
        Path file = copy.resolve(FILES).resolve("control.proto");
        String text = Files.readString(file);
        assertTrue(text.contains(before), before);
        Files.writeString(file, text.replace(before, after));
    }

    private NodeProgram lint(String... arguments) throws IOException, InterruptedException {
        return NodeProgram.run(new ProcessBuilder(Stream.concat(
                        Stream.of(copy.resolve("scripts").resolve("lint-api").toString()), Stream.of(arguments))
                .toList()));
    }
}
