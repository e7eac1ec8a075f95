package io.quorumlb.lbctl;

import com.google.protobuf.Message;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes the proto3 JSON of a response as YAML. */
record YamlOutput(Console console) implements Output {
    @Override
    public <R extends Message> void print(R response, View<? super R> view) {
        // All JSON is YAML.
        Object tree = new Load(LoadSettings.builder()
                        .setCodePointLimit(Integer.MAX_VALUE)
                        .build())
                .loadFromString(JsonOutput.json(response));
        console.out()
                .print(new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.BLOCK)
                                .build())
                        .dumpToString(tree));
    }
}
