package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    @Test
    void readsWhatIsAskedFor() {
        assertEquals(new CommandLine.Run(Path.of("node.yaml")), CommandLine.parse(List.of("node.yaml")));
        assertEquals(new CommandLine.Check(Path.of("node.yaml")), CommandLine.parse(List.of("--check", "node.yaml")));
        assertEquals(new CommandLine.Check(Path.of("node.yaml")), CommandLine.parse(List.of("node.yaml", "--check")));
        assertEquals(new CommandLine.Help(), CommandLine.parse(List.of("--help")));
    }

    @Test
    void namesWhatIsWrong() {
        assertEquals(
                new CommandLine.Wrong("one configuration file is needed, 0 are given"), CommandLine.parse(List.of()));
        assertEquals(
                new CommandLine.Wrong("one configuration file is needed, 2 are given"),
                CommandLine.parse(List.of("a", "b")));
        assertEquals(new CommandLine.Wrong("'--chek' is not an option"), CommandLine.parse(List.of("--chek", "a")));
        assertEquals(new CommandLine.Wrong("'a?' is not a file name"), CommandLine.parse(List.of("a\0")));
    }
}
