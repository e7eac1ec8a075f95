package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.InterfaceAddress;
import io.quorumlb.node.core.NetworkView;
import io.quorumlb.ovs.flow.MacAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KernelNetworkTest {
    private static final String LINK = "qlb-edge0";

    @Test
    void whatIsAbsentIsLeftOut() {
        NetworkView view = new KernelNetwork(List.of("qlb-absent0")).get().orElseThrow();
        assertTrue(view.interfaces().isEmpty());
        assertTrue(view.neighbours().isEmpty());
    }

    @Test
    void anInterfaceWithoutMacHasNoAddressForUs() {
        assertTrue(new KernelNetwork(List.of("lo"))
                .get()
                .orElseThrow()
                .interfaces()
                .isEmpty());
    }

    @Test
    void readsAddressMacAndNeighbours() throws Exception {
        assumeTrue(ip("link", "add", LINK, "type", "bridge"), "needs the right to make an interface");
        try {
            ip("link", "set", LINK, "address", "02:00:0a:14:00:fe", "up");
            ip("address", "add", "192.0.2.11/24", "dev", LINK);
            ip("-6", "address", "add", "2001:db8::11/64", "nodad", "dev", LINK);
            // The kernel gives a link-local address of its own accord, but only once the link has a carrier.
            ip("-6", "address", "replace", "fe80::aff:fe14:fe/64", "nodad", "dev", LINK);
            ip("neighbour", "add", "2001:db8::2", "lladdr", "02:00:0a:14:00:06", "dev", LINK, "nud", "permanent");
            ip("neighbour", "add", "192.0.2.2", "lladdr", "02:00:0a:14:00:02", "dev", LINK, "nud", "permanent");

            NetworkView view = new KernelNetwork(List.of(LINK)).get().orElseThrow();

            InterfaceAddress link =
                    Optional.ofNullable(view.interfaces().get(LINK)).orElseThrow();
            assertEquals(MacAddress.parse("02:00:0a:14:00:fe"), link.mac());
            assertEquals(
                    List.of("192.0.2.11", "2001:db8::11", "fe80::aff:fe14:fe"),
                    link.addresses().stream().map(IpAddress::toString).toList());
            SortedMap<IpAddress, MacAddress> neighbours = view.neighbours().getOrDefault(LINK, new TreeMap<>());
            assertEquals(MacAddress.parse("02:00:0a:14:00:02"), neighbours.get(IpAddress.parse("192.0.2.2")));
            assertEquals(MacAddress.parse("02:00:0a:14:00:06"), neighbours.get(IpAddress.parse("2001:db8::2")));
        } finally {
            ip("link", "delete", LINK);
        }
    }

    private static boolean ip(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
