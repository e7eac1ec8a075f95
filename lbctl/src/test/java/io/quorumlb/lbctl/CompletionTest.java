package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionTest {
    @TempDir
    Path directory = Path.of("");

    /** Has bash complete the last word of a line with the script. */
    private SortedSet<String> completed(String... words) throws IOException, InterruptedException {
        Path script = directory.resolve("lbctl.bash");
        Files.writeString(
                script, Ran.line("completion bash").endsWith(ExitCode.YES).out());
        String line = """
                source %s
                COMP_WORDS=(lbctl "$@")
                COMP_CWORD=$#
                COMP_LINE="${COMP_WORDS[*]}"
                COMP_POINT=${#COMP_LINE}
                compopt() { :; }
                _complete_lbctl
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(script);
        var command = new ArrayList<>(List.of("bash", "--norc", "-c", line, "bash"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return new TreeSet<>(said.lines().map(String::strip).toList());
    }

    @ParameterizedTest
    @CsvSource({"'', doctor", "'', cluster", "do, doctor", "member dr, drain", "pool '', plan", "completion '', zsh"})
    void bashCompletesNounsVerbsAndValues(String typed, String expected) throws IOException, InterruptedException {
        String[] words = typed.replace("''", "").split(" ", -1);
        SortedSet<String> completed = completed(words);
        assertTrue(completed.contains(expected), completed::toString);
        assertTrue(completed.stream().allMatch(word -> word.startsWith(words[words.length - 1])), completed::toString);
    }

    @Test
    void everyCommandIsInTheScript() {
        String script = Ran.line("completion bash").endsWith(ExitCode.YES).out();
        for (String noun : List.of("cluster", "pool", "member", "doctor", "events", "watch", "completion")) {
            assertTrue(script.contains("_picocli_lbctl_" + noun), noun);
        }
    }

    @Test
    void zshTakesTheSameScript() {
        String bash = Ran.line("completion bash").endsWith(ExitCode.YES).out();
        Ran.line("completion zsh").endsWith(ExitCode.YES).writes("#compdef lbctl\n" + bash);
        assertTrue(bash.contains("bashcompinit"), "zsh needs it");
    }

    @Test
    void anotherShellIsRefused() {
        Ran.line("completion fish").endsWith(ExitCode.USAGE).says("fish");
    }
}
