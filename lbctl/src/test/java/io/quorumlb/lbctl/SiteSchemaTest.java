package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.quorumlb.proto.v1.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteSchemaTest {
    private static final Path DOCS = Path.of("..", "docs");

    private final com.networknt.schema.Schema schema = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12)
            .getSchema(SiteSchema.write(), InputFormat.JSON);

    private static List<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(DOCS.resolve("examples"))) {
            return files.sorted().toList();
        }
    }

    /** If this fails: lbctl schema > docs/site.schema.json. */
    @Test
    void theShippedFileIsWhatIsWritten() throws IOException {
        Path target = Path.of("target", "site.schema.json");
        Files.writeString(target, SiteSchema.write());
        assertEquals(Files.readString(DOCS.resolve("site.schema.json")), SiteSchema.write());
        Ran.line("schema").endsWith(ExitCode.YES).writes(SiteSchema.write());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleIsValidAndReadable(Path example) throws IOException {
        String text = Files.readString(example);
        assertEquals(List.of(), schema.validate(text, InputFormat.YAML));
        Site site = SiteReader.read(example.toString(), text);
        assertEquals(site, SiteReader.read("written", SiteWriter.write(site)));
        assertEquals(List.of(), schema.validate(SiteWriter.write(site), InputFormat.YAML));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "polls: []",
                "pools: web",
                "pools: [{nam: web}]",
                "pools: [{slots: many}]",
                "pools: [{slots: -1}]",
                "pools: [{monitor: {type: TCP}}]",
                "listeners: [{allPorts: 1}]",
                "[]"
            })
    void whatTheReaderRefusesIsNotValid(String text) {
        assertFalse(schema.validate(text, InputFormat.YAML).isEmpty());
        assertThrows(CommandFailure.class, () -> SiteReader.read("f", text));
    }
}
