package io.quorumlb.ovs.neighbour;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.KernelNeighbour;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NeighbourState;
import io.quorumlb.ovs.linux.NeighbourTable;
import io.quorumlb.ovs.linux.NetworkInterfaces;
import io.quorumlb.ovs.testbed.OvsTools;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NeighboursTest {
    private static final String INTERFACE = "qlb-neigh0";

    @Test
    void readsUsableNeighboursOfOneInterface() throws LinuxException, IOException, InterruptedException {
        Assumptions.assumeTrue(
                succeeds("ip", "link", "add", INTERFACE, "type", "veth", "peer", "name", INTERFACE + "p"),
                "needs the right to add a network interface");
        try {
            ip("link", "set", INTERFACE, "up");
            ip("link", "set", INTERFACE + "p", "up");
            ip("neigh", "add", "203.0.113.7", "lladdr", "02:00:00:00:00:07", "dev", INTERFACE, "nud", "permanent");
            ip("neigh", "add", "203.0.113.8", "lladdr", "02:00:00:00:00:08", "dev", INTERFACE, "nud", "stale");
            ip("neigh", "add", "203.0.113.9", "lladdr", "02:00:00:00:00:09", "dev", INTERFACE, "nud", "failed");
            assertEquals(
                    Map.of(
                            Ipv4Address.parse("203.0.113.7"), new MacAddress(0x0200_0000_0007L),
                            Ipv4Address.parse("203.0.113.8"), new MacAddress(0x0200_0000_0008L)),
                    Neighbours.read(INTERFACE));
            int index = NetworkInterfaces.index(INTERFACE);
            assertTrue(NeighbourTable.read()
                    .contains(new KernelNeighbour(
                            index, Ipv4Address.parse("203.0.113.7"), 0x0200_0000_0007L, NeighbourState.PERMANENT)));
            // More neighbours than one answer of the kernel holds.
            var batch = new StringBuilder();
            for (int host = 0; host < 500; host++) {
                batch.append("neigh add 10.255.").append(host / 250).append('.').append(host % 250);
                batch.append(" lladdr 02:00:00:00:01:00 nud permanent dev ")
                        .append(INTERFACE)
                        .append('\n');
            }
            ipBatch(batch.toString());
            assertEquals(502, Neighbours.read(INTERFACE).size());
        } finally {
            ip("link", "delete", INTERFACE);
        }
    }

    @Test
    void anUnknownInterfaceIsNamed() {
        var failure = assertThrows(LinuxException.class, () -> Neighbours.read("qlb-none"));
        assertEquals("if_nametoindex(qlb-none) failed: errno 19 (ENODEV, no such interface)", failure.getMessage());
        assertEquals(19, failure.errno());
    }

    @Test
    void theTableCanBeReadByAnybody() throws LinuxException {
        assertNotNull(NeighbourTable.read());
    }

    private static void ip(String... arguments) {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        OvsTools.run(command);
    }

    private static void ipBatch(String lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("ip", "-batch", "-")
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        try (var in = process.outputWriter()) {
            in.write(lines);
        }
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
