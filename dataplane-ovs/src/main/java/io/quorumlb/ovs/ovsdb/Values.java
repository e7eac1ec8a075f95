package io.quorumlb.ovs.ovsdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** Values of columns (RFC 7047, 5.1): an atom stands for a set of one. */
final class Values {
    private Values() {}

    /** Returns the atoms of a set, in the order of the database. */
    static List<JsonNode> set(JsonNode value, String column) {
        if (!isTagged(value, "set")) {
            return List.of(value);
        }
        List<JsonNode> atoms = new ArrayList<>();
        list(value, column).forEach(atoms::add);
        return atoms;
    }

    /** Returns the text of a column, empty if it is an empty set. */
    static String text(JsonNode row, String column) {
        return first(row, column).map(atom -> string(atom, column)).orElse("");
    }

    /** Returns the texts of a column. */
    static SortedSet<String> texts(JsonNode row, String column) {
        SortedSet<String> texts = new TreeSet<>();
        set(row.path(column), column).forEach(atom -> texts.add(string(atom, column)));
        return texts;
    }

    /** Returns the number of a column, empty if it is an empty set. */
    static Optional<Integer> number(JsonNode row, String column) {
        return first(row, column).map(atom -> {
            if (!atom.canConvertToInt()) {
                throw wrong(column, "a number of 32 bits", atom);
            }
            return atom.intValue();
        });
    }

    /** Returns the rows that a column refers to. */
    static List<String> references(JsonNode row, String column) {
        List<String> found = new ArrayList<>();
        for (JsonNode atom : set(row.path(column), column)) {
            if (!isTagged(atom, "uuid")) {
                throw wrong(column, "a reference to a row", atom);
            }
            found.add(string(atom.path(1), column));
        }
        return found;
    }

    /** Returns the pairs of a column. */
    static SortedMap<String, String> map(JsonNode row, String column) {
        JsonNode value = row.path(column);
        if (!isTagged(value, "map")) {
            throw wrong(column, "a map", value);
        }
        SortedMap<String, String> pairs = new TreeMap<>();
        for (JsonNode pair : list(value, column)) {
            pairs.put(string(pair.path(0), column), string(pair.path(1), column));
        }
        return pairs;
    }

    private static Optional<JsonNode> first(JsonNode row, String column) {
        return set(row.path(column), column).stream().findFirst();
    }

    private static JsonNode list(JsonNode value, String column) {
        JsonNode list = value.path(1);
        if (!list.isArray()) {
            throw wrong(column, "a list", value);
        }
        return list;
    }

    private static boolean isTagged(JsonNode value, String tag) {
        return value.isArray()
                && value.size() == 2
                && value.path(0).isString()
                && value.path(0).stringValue().equals(tag);
    }

    private static String string(JsonNode atom, String column) {
        if (!atom.isString()) {
            throw wrong(column, "a text", atom);
        }
        return atom.stringValue();
    }

    private static MalformedDatabaseException wrong(String column, String expected, JsonNode found) {
        String text = found.isMissingNode() ? "absent" : found.toString();
        return new MalformedDatabaseException(
                "column %s must hold %s, is %s".formatted(column, expected, shortened(text)));
    }

    /** Returns the beginning of a text, for people. */
    static String shortened(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }
}
