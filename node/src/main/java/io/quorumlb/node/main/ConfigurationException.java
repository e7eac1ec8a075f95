package io.quorumlb.node.main;

import java.util.List;

/** A configuration that cannot be used. */
final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String problems;

    /**
     * Describes all that is wrong with one file.
     *
     * @param problems at least one sentence; each names field, value and limit
     */
    ConfigurationException(String file, List<String> problems) {
        this.problems = "configuration %s cannot be used:\n  %s".formatted(file, String.join("\n  ", problems));
    }

    /** Returns what is wrong, a heading and one line per problem. */
    @Override
    public String getMessage() {
        return problems;
    }
}
