package io.quorumlb.lbctl;

import picocli.CommandLine.Option;

/** The options that lists of objects take. */
final class ListOptions {
    @Option(
            names = {"-l", "--selector"},
            paramLabel = "TERMS",
            description = "Only objects with such labels, for example site=a,tier!=db,rack,!old.")
    private String selector = "";

    /** Returns which labels the objects must have; empty for all objects. */
    String selector() {
        return selector;
    }
}
