package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The option that labels an object. */
final class LabelOptions {
    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description = "A label that it has, in place of one of the same key; may be given several times.")
    private List<String> labels = new ArrayList<>();

    /**
     * Returns the labels.
     *
     * @throws CommandFailure if one has no key, or two have the same
     */
    Map<String, String> labels() {
        Map<String, String> byKey = new TreeMap<>();
        for (String label : labels) {
            int equals = label.indexOf('=');
            if (equals <= 0) {
                throw new CommandFailure(
                        ExitCode.USAGE, "--label: '%s' is not KEY=VALUE, for example site=a".formatted(label));
            }
            String key = label.substring(0, equals);
            if (byKey.put(key, label.substring(equals + 1)) != null) {
                throw new CommandFailure(ExitCode.USAGE, "--label: key '%s' is there twice".formatted(key));
            }
        }
        return byKey;
    }
}
