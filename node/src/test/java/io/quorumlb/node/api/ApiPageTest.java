package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.json.JsonGateway;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The examples of docs/api.md, run as they stand there, one after the other. */
class ApiPageTest {
    private static final Pattern SECTION = Pattern.compile("(?s)\n## JSON over HTTP\n(.*?)(\n## |$)");
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```sh\n(.*?)```\n```json\n(.*?)```");

    @Test
    void everyExampleAnswersAsThePageSays() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "api.md"));
        String section =
                SECTION.matcher(page).results().findFirst().orElseThrow().group(1);
        List<MatchResult> examples = EXAMPLE.matcher(section).results().toList();
        assertTrue(examples.size() >= 4, "examples: " + examples.size());
        try (var node = LoneNode.leading();
                var json = HttpEndpoint.start(
                        new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1"))),
                        0,
                        new JsonGateway(node.control.bindService()))) {
            for (MatchResult example : examples) {
                String answer =
                        run(example.group(1), json.listening().getFirst().getPort());
                assertEquals(
                        JsonMapper.shared().readTree(example.group(2)),
                        JsonMapper.shared().readTree(answer),
                        example.group(1));
            }
        }
    }

    private static String run(String command, int port) throws IOException, InterruptedException {
        var process = new ProcessBuilder("bash", "-c", command).redirectErrorStream(true);
        process.environment().put("NODE", "127.0.0.1:" + port);
        Process running = process.start();
        String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, running.waitFor(), command + output);
        return output;
    }
}
