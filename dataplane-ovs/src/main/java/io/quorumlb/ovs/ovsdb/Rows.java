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
    private static final String SWITCH = "Open_vSwitch";
    private static final String BRIDGE = "Bridge";
    private static final String PORT = "Port";
    private static final String INTERFACE = "Interface";
    private static final String CONTROLLER = "Controller";

    private final SortedMap<String, SortedMap<String, JsonNode>> tables = new TreeMap<>();

    /** Returns what to ask for: tables with their columns (RFC 7047, 4.1.5). */
    static ObjectNode wanted() {
        ObjectNode wanted = JSON.createObjectNode();
        want(wanted, SWITCH, "ovs_version", "other_config");
        want(wanted, BRIDGE, "name", "datapath_type", "fail_mode", "controller", "ports");
        want(wanted, PORT, "interfaces");
        want(wanted, INTERFACE, "name", "type", "ofport", "error", "link_state", "mac_in_use");
        want(wanted, CONTROLLER, "target");
        return wanted;
    }

    private static void want(ObjectNode wanted, String table, String... columns) {
        var names = wanted.putArray(table).addObject().putArray("columns");
        List.of(columns).forEach(names::add);
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
            SortedMap<String, JsonNode> rows = tables.computeIfAbsent(table.getKey(), _ -> new TreeMap<>());
            for (Map.Entry<String, JsonNode> change : table.getValue().properties()) {
                JsonNode row = change.getValue().path("new");
                if (row.isObject()) {
                    rows.put(change.getKey(), row);
                } else {
                    rows.remove(change.getKey());
                }
            }
        }
        int kept = tables.values().stream().mapToInt(SortedMap::size).sum();
        if (kept > ROWS_MAX) {
            throw new MalformedDatabaseException("the database has more than " + ROWS_MAX + " rows to watch");
        }
    }

    /**
     * Returns what the rows say of one bridge.
     *
     * @throws MalformedDatabaseException if a column has no value of its type
     */
    SwitchDatabase view(String bridgeName) {
        Optional<JsonNode> whole = rows(SWITCH).values().stream().findFirst();
        Optional<JsonNode> bridge = rows(BRIDGE).values().stream()
                .filter(row -> Values.text(row, "name").equals(bridgeName))
                .findFirst();
        SortedMap<String, SwitchDatabase.Port> ports = new TreeMap<>();
        bridge.ifPresent(row -> referred(row, "ports", PORT)
                .forEach(port -> referred(port, "interfaces", INTERFACE)
                        .forEach(found -> ports.put(Values.text(found, "name"), port(found)))));
        return new SwitchDatabase(
                whole.map(row -> Values.text(row, "ovs_version")).orElse(""),
                bridge.map(this::bridge),
                ports,
                whole.map(row -> Values.map(row, "other_config")).orElseGet(TreeMap::new));
    }

    private SwitchDatabase.Bridge bridge(JsonNode row) {
        return new SwitchDatabase.Bridge(
                Values.text(row, "name"),
                Values.text(row, "datapath_type"),
                Values.text(row, "fail_mode"),
                referred(row, "controller", CONTROLLER).stream()
                        .map(controller -> Values.text(controller, "target"))
                        .toList());
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
        SortedMap<String, JsonNode> rows = rows(table);
        List<JsonNode> found = new ArrayList<>();
        for (String id : Values.references(row, column)) {
            JsonNode target = rows.get(id);
            if (target != null) {
                found.add(target);
            }
        }
        return found;
    }

    private SortedMap<String, JsonNode> rows(String table) {
        return tables.getOrDefault(table, new TreeMap<>());
    }
}
