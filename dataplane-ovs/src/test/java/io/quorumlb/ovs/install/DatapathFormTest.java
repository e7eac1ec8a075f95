package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatapathFormTest {
    /** What Open vSwitch 3.1 says of a bridge with an internal port, a packet socket and AF_XDP. */
    private static final String SHOWN = """
            netdev@ovs-netdev: hit:12 missed:3
              br-lb:
                br-lb 65534/1: (tap)
                uplink 1/2: (internal)
                x-p2 3/4: (system)
                x-uplink 2/3: (afxdp: n_rxq=1, use-need-wakeup=true, xdp-mode=native, xdp-mode-in-use=native)
            system@ovs-system: hit:0 missed:0
              br-other:
                x-p3 1/1: (system)
            """;

    private final DatapathForm form = DatapathForm.parse(SHOWN, "br-lb");

    @Test
    void readsTheBridgeAloneAndItsDatapath() {
        assertEquals("netdev", form.datapath());
        assertEquals(
                List.of("br-lb", "uplink", "x-p2", "x-uplink"),
                List.copyOf(form.ports().keySet()));
        assertEquals("afxdp", form.ports().get("x-uplink"));
        assertEquals("system", DatapathForm.parse(SHOWN, "br-other").datapath());
    }

    @Test
    void saysNothingIfAllIsAsWanted() {
        assertEquals(List.of(), form.differences(DatapathType.NETDEV, PortType.AF_XDP, List.of("x-uplink")));
        assertEquals(List.of(), form.differences(DatapathType.NETDEV, PortType.AF_PACKET, List.of("x-p2")));
    }

    @Test
    void namesEachDifferenceAndWhatToDo() {
        assertEquals(
                List.of(
                        "datapath is netdev, configured is system; set the bridge's datapath_type=system or change dataplane.datapathType",
                        "port x-uplink has type afxdp, configured is system; set the interface's type=system or change dataplane.portType",
                        "port x-p3 is not in the datapath; 'ovs-vsctl get interface x-p3 error' says why"),
                form.differences(DatapathType.SYSTEM, PortType.AF_PACKET, List.of("x-uplink", "x-p2", "x-p3")));
        assertEquals(
                List.of("the switch has no bridge of that name"),
                DatapathForm.parse(SHOWN, "br-none")
                        .differences(DatapathType.NETDEV, PortType.AF_XDP, List.of("x-p2")));
    }

    @Test
    void asksARealSwitch(@TempDir Path directory) throws Exception {
        var bridge = new OvsBridge(directory, PrivateSwitch.BRIDGE);
        assertThrows(DatapathException.class, () -> DatapathForm.read(bridge));
        try (var _ = new PrivateSwitch(directory)) {
            DatapathForm found = DatapathForm.read(bridge);
            assertEquals("dummy", found.datapath());
            assertEquals("dummy", found.ports().get("p1"));
        }
    }
}
