package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that change an object's labels. */
final class LabelChange {
    @Mixin
    private final LabelOptions set = new LabelOptions();

    @Option(names = "--unlabel", paramLabel = "KEY", description = "A label that goes; may be given several times.")
    private List<String> gone = new ArrayList<>();

    /**
     * Returns the labels after the change.
     *
     * @throws CommandFailure if an option cannot be read
     */
    Map<String, String> of(Map<String, String> before) {
        Map<String, String> labels = new TreeMap<>(before);
        labels.keySet().removeAll(gone);
        labels.putAll(set.labels());
        return labels;
    }
}
