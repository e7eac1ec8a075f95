package io.quorumlb.ovs.ovsdb;

import io.quorumlb.ovs.flow.SwitchDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The watched rows of one connection, by table and identity. For the connection's one thread. */
final class Rows {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int ROWS_MAX = 1 << 14;
    private static final long CHARACTERS_MAX = 1 << 25;
    private static final String SWITCH = "Open_vSwitch";
    private static final String BRIDGE = "Bridge";
    private static final String PORT = "Port";
    private static final String INTERFACE = "Interface";
    private static final String CONTROLLER = "Controller";

    /** What is asked for: columns by table. */
    private static final SortedMap<String, List<String>> WANTED = new TreeMap<>(Map.of(
            SWITCH, List.of("ovs_version", "other_config"),
            BRIDGE, List.of("name", "datapath_type", "fail_mode", "controller", "ports", "protocols", "other_config"),
            PORT, List.of("interfaces"),
            INTERFACE, List.of("name", "type", "ofport", "error", "link_state", "mac_in_use"),
            CONTROLLER, List.of("target")));

    private final SortedMap<String, SortedMap<String, Row>> tables = new TreeMap<>();

    /** A row and the length of its text: what it holds is not kept twice, its length is an upper bound of it. */
    private record Row(JsonNode columns, int characters) {}

    /** Returns what to ask for: tables with their columns (RFC 7047, 4.1.5). */
    static ObjectNode wanted() {
        ObjectNode wanted = JSON.createObjectNode();
        WANTED.forEach((table, columns) -> {
            var names = wanted.putArray(table).addObject().putArray("columns");
            columns.forEach(names::add);
        });
        return wanted;
    }

    /**
     * Takes in changes of rows (RFC 7047, 4.1.6).
     *
     * @throws MalformedDatabaseException if they are none, or too many rows would be kept
     */
    void update(JsonNode updates) {
        if (!updates.isObject()) {
            throw new MalformedDatabaseException("changes must come by table, are a " + updates.getNodeType());
        }
        for (Map.Entry<String, JsonNode> table : updates.properties()) {
            if (!WANTED.containsKey(table.getKey())) {
                throw new MalformedDatabaseException(
                        "changes of table %s, which was not asked for".formatted(Values.shortened(table.getKey())));
            }
            SortedMap<String, Row> rows = tables.computeIfAbsent(table.getKey(), _ -> new TreeMap<>());
            for (Map.Entry<String, JsonNode> change : table.getValue().properties()) {
                JsonNode row = change.getValue().path("new");
                if (row.isObject()) {
                    rows.put(change.getKey(), new Row(row, row.toString().length()));
                } else {
                    rows.remove(change.getKey());
                }
            }
        }
        requireRoom();
    }

    private void requireRoom() {
        int kept = 0;
        long characters = 0;
        for (SortedMap<String, Row> rows : tables.values()) {
            kept += rows.size();
            characters += rows.values().stream().mapToLong(Row::characters).sum();
        }
        if (kept > ROWS_MAX) {
            throw new MalformedDatabaseException("the database has more than " + ROWS_MAX + " rows to watch");
        }
        if (characters > CHARACTERS_MAX) {
            throw new MalformedDatabaseException("the rows to watch hold more than " + CHARACTERS_MAX + " characters");
        }
    }

    /**
     * Returns what the rows say of one bridge.
     *
     * @throws MalformedDatabaseException if a column has no value of its type
     */
    SwitchDatabase view(String bridgeName) {
        Optional<JsonNode> whole =
                rows(SWITCH).values().stream().map(Row::columns).findFirst();
        Optional<JsonNode> bridge = rows(BRIDGE).values().stream()
                .map(Row::columns)
                .filter(row -> Values.text(row, "name").equals(bridgeName))
                .findFirst();
        SortedMap<String, SwitchDatabase.Port> ports = new TreeMap<>();
        bridge.ifPresent(row ->
                interfaces(bridgeName, row).forEach(found -> ports.put(Values.text(found, "name"), port(found))));
        return new SwitchDatabase(
                whole.map(row -> Values.text(row, "ovs_version")).orElse(""),
                bridge.map(this::bridge),
                ports,
                whole.map(row -> Values.map(row, "other_config")).orElseGet(TreeMap::new));
    }

    /** An interface belongs to one port and a port to one bridge: more references than rows mean that they repeat. */
    private List<JsonNode> interfaces(String bridgeName, JsonNode bridge) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode port : referred(bridge, "ports", PORT)) {
            found.addAll(referred(port, "interfaces", INTERFACE));
            if (found.size() > ROWS_MAX) {
                throw new MalformedDatabaseException(
                        "bridge %s refers to more than %d interfaces".formatted(bridgeName, ROWS_MAX));
            }
        }
        return found;
    }

    private SwitchDatabase.Bridge bridge(JsonNode row) {
        return new SwitchDatabase.Bridge(
                Values.text(row, "name"),
                Values.text(row, "datapath_type"),
                Values.text(row, "fail_mode"),
                referred(row, "controller", CONTROLLER).stream()
                        .map(controller -> Values.text(controller, "target"))
                        .toList(),
                Values.texts(row, "protocols"),
                Values.map(row, "other_config"));
    }

    private static SwitchDatabase.Port port(JsonNode row) {
        return new SwitchDatabase.Port(
                Values.text(row, "type"),
                Values.number(row, "ofport").filter(number -> number > 0),
                Values.text(row, "error"),
                Values.text(row, "link_state"),
                Values.text(row, "mac_in_use"));
    }

    /** A row that is referred to and not there comes with the next message, or goes with it. */
    private List<JsonNode> referred(JsonNode row, String column, String table) {
        SortedMap<String, Row> rows = rows(table);
        List<JsonNode> found = new ArrayList<>();
        for (String id : Values.references(row, column)) {
            Row target = rows.get(id);
            if (target != null) {
                found.add(target.columns());
            }
        }
        return found;
    }

    private SortedMap<String, Row> rows(String table) {
        return tables.getOrDefault(table, new TreeMap<>());
    }
}
