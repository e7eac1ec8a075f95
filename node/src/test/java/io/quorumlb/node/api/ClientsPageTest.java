package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.json.JsonGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The clients of docs/api.md: those of the page's text are run as they stand there, one after the other. */
class ClientsPageTest {
    private static final Pattern SECTION = Pattern.compile("(?s)\n## Clients in other languages\n(.*?)(\n## |$)");
    private static final Pattern SITE = Pattern.compile("(?s)`shop.json`:\n\n```json\n(.*?)```");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```sh\n(.*?)```\n```json\n(.*?)```");
    private static final Pattern NODE = Pattern.compile("(?s)```js\n(.*?)```");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Pattern JAVA_HERE =
            Pattern.compile("(?s)example begins here.\n(.*?) *// The page's example ends here.");

    @Test
    void eachOfThemDoesTheDeploy(@TempDir Path directory) throws Exception {
        NodeProgram.assumeInstalled();
        String section = only(SECTION, Files.readString(Path.of("..", "docs", "api.md")));
        Path site = Files.writeString(directory.resolve("shop.json"), only(SITE, section));
        Path modules =
                Files.createSymbolicLink(directory.resolve("node_modules"), NodeProgram.CLIENT.resolve("node_modules"));
        Path proto = Files.createSymbolicLink(
                directory.resolve("proto"), Path.of("..", "proto").toAbsolutePath());
        List<MatchResult> examples = EXAMPLE.matcher(section).results().toList();
        assertTrue(examples.size() >= 9, "examples: " + examples.size());
        try (var node = LoneNode.leading();
                var json = HttpEndpoint.start(
                        new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1"))),
                        0,
                        new JsonGateway(node.control.bindService()))) {
            String api = "127.0.0.3:" + node.server.apiPort();
            for (MatchResult example : examples) {
                var command = new ProcessBuilder("bash", "-c", example.group(1)).directory(directory.toFile());
                command.environment()
                        .put("NODE", "127.0.0.1:" + json.listening().getFirst().getPort());
                command.environment().put("API", api);
                command.environment().merge("PATH", NodeProgram.LINT.toString(), (path, lint) -> lint + ":" + path);
                assertSays(example.group(2), succeeded(command), example.group(1));
            }
            Path program = Files.writeString(directory.resolve("deploy.mjs"), only(NODE, section));
            var command = new ProcessBuilder("node", program.toString()).directory(directory.toFile());
            command.environment().put("API", api);
            assertEquals("be1 takes no traffic: deploy\n", succeeded(command));
            assertEquals(7, revision(node));
            JavaExample.deploy(node.channel, site);
            assertEquals(9, revision(node));
        } finally {
            Files.delete(modules);
            Files.delete(proto);
        }
    }

    @Test
    void theExampleInJavaIsTheOneThatIsCompiled() throws IOException {
        String compiled = only(
                JAVA_HERE,
                Files.readString(Path.of("src", "test", "java", "io", "quorumlb", "node", "api", "JavaExample.java")));
        String page = only(JAVA, Files.readString(Path.of("..", "docs", "api.md")));
        assertEquals(page, compiled.stripTrailing().stripIndent() + "\n");
    }

    private static long revision(LoneNode node) {
        return node.watch.current().cluster().revision();
    }

    private static String only(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError("nothing is like " + pattern))
                .group(1);
    }

    private static String succeeded(ProcessBuilder command) throws IOException, InterruptedException {
        NodeProgram run = NodeProgram.run(command);
        assertEquals(0, run.status(), command.command() + ": " + run.output());
        return run.output();
    }

    /** The page leaves fields out: those that it shows must be as it says. */
    private static void assertSays(String page, String answer, String command) {
        JsonNode answered = JsonMapper.shared().readTree(answer);
        JsonMapper.shared()
                .readTree(page)
                .properties()
                .forEach(field -> assertEquals(
                        field.getValue(), answered.get(field.getKey()), () -> command + " answered " + answer));
    }
}
