package io.quorumlb.node.main;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One mapping of a configuration file. What is wrong with a field is noted among the problems of the whole file, and
 * the field reads as empty.
 */
final class Section {
    private static final int NEAR_EDITS_MAX = 2;

    private final String path;
    private final JsonNode node;
    private final List<String> problems;
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * Opens a section.
     *
     * @param path where it is in the file, for example {@code cluster.nodes[1]}; empty for the whole file
     * @param node any node; what is not a mapping is a problem, and reads as an empty one
     * @param problems takes one sentence per problem
     */
    Section(String path, JsonNode node, List<String> problems) {
        this.path = path;
        this.node = node;
        this.problems = problems;
    }

    /** Returns the field's path in the file. */
    String path(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    /** Notes what is wrong with the field. */
    void problem(String field, String what) {
        problems.add("%s: %s".formatted(path(field), what));
    }

    /** Returns true if the field is there and not null. */
    boolean has(String field) {
        known.add(field);
        return !absent(get(field));
    }

    /** Returns true if the field is there and one value, not a section or a list. */
    boolean hasValue(String field) {
        return has(field) && get(field).isValueNode();
    }

    /** Returns the section under the field; a missing one is a problem. */
    Section section(String field) {
        JsonNode child = get(field);
        if (absent(child)) {
            problem(field, "is missing; write a section with its fields");
            return new Section(path(field), JsonNodeFactory.instance.objectNode(), new ArrayList<>());
        }
        if (!child.isObject()) {
            problem(field, "must be a section of 'name: value' fields, is %s".formatted(shown(child)));
            return new Section(path(field), JsonNodeFactory.instance.objectNode(), new ArrayList<>());
        }
        return new Section(path(field), child, problems);
    }

    /** Returns the sections of the list under the field; a missing or empty list is a problem. */
    List<Section> sections(String field) {
        JsonNode child = get(field);
        if (!child.isArray() || child.isEmpty()) {
            problem(field, "must be a list with at least one entry, is %s".formatted(shown(child)));
            return List.of();
        }
        var sections = new ArrayList<Section>();
        for (int i = 0; i < child.size(); i++) {
            String entry = "%s[%d]".formatted(field, i);
            if (child.get(i).isObject()) {
                sections.add(new Section(path(entry), child.get(i), problems));
            } else {
                problem(entry, "must be a section of 'name: value' fields, is %s".formatted(shown(child.get(i))));
            }
        }
        return sections;
    }

    /** Returns the sections under the field by their names, which are the operator's; none is a problem. */
    SortedMap<String, Section> named(String field) {
        Section parent = section(field);
        var sections = new TreeMap<String, Section>();
        if (parent.node.isEmpty()) {
            parent.problems.add("%s: has no entry; at least one is needed".formatted(parent.path));
        }
        parent.node.propertyNames().forEach(name -> sections.put(name, parent.section(name)));
        return Collections.unmodifiableSortedMap(sections);
    }

    /**
     * Returns the field's value.
     *
     * @param form turns the written text into the value; an IllegalArgumentException says what is wrong with it
     */
    <T> Optional<T> value(String field, Function<String, T> form) {
        JsonNode child = get(field);
        if (absent(child)) {
            problem(field, "is missing; give it a value");
            return Optional.empty();
        }
        if (!child.isValueNode()) {
            problem(field, "must be one value, is %s".formatted(shown(child)));
            return Optional.empty();
        }
        try {
            return Optional.of(form.apply(child.asString()));
        } catch (IllegalArgumentException e) {
            problem(field, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** As {@link #value}, but a missing field has the default value. */
    <T> Optional<T> value(String field, Function<String, T> form, T otherwise) {
        return has(field) ? value(field, form) : Optional.of(otherwise);
    }

    /** Notes every field that nobody asked for. */
    void refuseOthers() {
        for (String name : node.propertyNames()) {
            if (!known.contains(name)) {
                problem(name, "is not a known field; " + near(name));
            }
        }
    }

    private String near(String name) {
        return known.stream()
                .filter(candidate -> edits(candidate, name) <= NEAR_EDITS_MAX)
                .findFirst()
                .map("did you mean '%s'?"::formatted)
                .orElse("known here: " + String.join(", ", known));
    }

    private JsonNode get(String field) {
        known.add(field);
        return node.path(field);
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static String shown(JsonNode node) {
        if (absent(node)) {
            return "missing";
        }
        if (node.isObject()) {
            return "a section";
        }
        return node.isArray() ? "a list" : "'" + node.asString() + "'";
    }

    /** Returns the edit distance, letter case apart. */
    private static int edits(String left, String right) {
        int[] previous = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int[] current = new int[right.length() + 1];
            current[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                boolean same = Character.toLowerCase(left.charAt(i - 1)) == Character.toLowerCase(right.charAt(j - 1));
                current[j] = Math.min(Math.min(current[j - 1], previous[j]) + 1, previous[j - 1] + (same ? 0 : 1));
            }
            previous = current;
        }
        return previous[right.length()];
    }
}
