package io.quorumlb.ovs.install;

import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a bridge is made, in Open vSwitch's words.
 *
 * @param datapath type of the datapath, such as {@code netdev}; empty if the switch has no such bridge
 * @param ports type of each port, such as {@code system} or {@code afxdp}, by the port's name
 */
public record DatapathForm(String datapath, SortedMap<String, String> ports) {
    private static final Pattern DATAPATH = Pattern.compile("(\\w+)@\\S+:.*");
    private static final Pattern BRIDGE = Pattern.compile("  (\\S+):");
    private static final Pattern PORT = Pattern.compile("    (\\S+) \\S+: \\((\\w+).*");

    /** Copies the map. */
    public DatapathForm {
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    /**
     * Asks the switch.
     *
     * @throws DatapathException if it does not answer
     */
    public static DatapathForm read(OvsBridge bridge) throws DatapathException {
        try (var control = UnixControl.open(bridge.controlSocket(), bridge.limit())) {
            return parse(control.call("dpif/show"), bridge.name());
        } catch (UnixControlException failed) {
            throw new DatapathException(
                    DatapathException.Outcome.UNREACHABLE,
                    "cannot read how bridge " + bridge.name() + " is made: " + failed.getMessage(),
                    failed);
        }
    }

    /** Reads the answer to {@code dpif/show}. */
    static DatapathForm parse(String shown, String bridge) {
        String datapath = "";
        String within = "";
        String found = "";
        var ports = new TreeMap<String, String>();
        for (String line : shown.lines().toList()) {
            Matcher header = DATAPATH.matcher(line);
            Matcher name = BRIDGE.matcher(line);
            Matcher port = PORT.matcher(line);
            if (header.matches()) {
                datapath = header.group(1);
            } else if (name.matches()) {
                within = name.group(1);
                found = within.equals(bridge) ? datapath : found;
            } else if (port.matches() && within.equals(bridge)) {
                ports.put(port.group(1), port.group(2));
            }
        }
        return new DatapathForm(found, ports);
    }

    /**
     * Returns a sentence for each difference, with what to do; none if all is as wanted.
     *
     * @param networks ports towards networks; others, such as the node's own interfaces, may be of any type
     */
    public List<String> differences(DatapathType wanted, PortType type, Collection<String> networks) {
        if (datapath.isEmpty()) {
            return List.of("the switch has no bridge of that name");
        }
        var differences = new ArrayList<String>();
        if (!datapath.equals(wanted.word())) {
            differences.add(
                    "datapath is %s, configured is %s; set the bridge's datapath_type=%s or change dataplane.datapathType"
                            .formatted(datapath, wanted.word(), wanted.word()));
        }
        for (String port : networks) {
            String found = ports.getOrDefault(port, "");
            if (found.isEmpty()) {
                differences.add("port %s is not in the datapath; 'ovs-vsctl get interface %s error' says why"
                        .formatted(port, port));
            } else if (!found.equals(type.word())) {
                differences.add(
                        "port %s has type %s, configured is %s; set the interface's type=%s or change dataplane.portType"
                                .formatted(port, found, type.word(), type.word()));
            }
        }
        return Collections.unmodifiableList(differences);
    }
}
