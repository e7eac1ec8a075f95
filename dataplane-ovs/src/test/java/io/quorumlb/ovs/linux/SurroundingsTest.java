package io.quorumlb.ovs.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlb.ovs.testbed.Namespace;
import io.quorumlb.ovs.testbed.OvsTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the kernel says of offloads and of the packet filter, in a namespace of its own. */
class SurroundingsTest {
    /** Runs in the namespace: says what this package reads there. */
    public static final class Reader {
        private Reader() {}

        /** Prints the guarded interfaces, then for each argument whether its checksums are offloaded. */
        public static void main(String[] interfaces) throws LinuxException {
            System.out.println(IngressGuards.read());
            for (String name : interfaces) {
                System.out.println(name + " " + TransmitChecksums.offloaded(name));
            }
        }
    }

    private static List<String> read(Namespace space, String... interfaces) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName()));
        command.addAll(List.of(interfaces));
        return space.run(command.toArray(String[]::new)).lines().toList();
    }

    @Test
    void guardsAndOffloadsAreReadAsTheyWereSet() throws IOException, InterruptedException {
        OvsTools.require("nft");
        OvsTools.require("ethtool");
        try (var space = new Namespace("doc");
                var other = new Namespace("doc2")) {
            space.connect("x-a", other, "peer-a");
            space.connect("x-b", other, "peer-b");
            space.connect("x-c", other, "peer-c");
            space.run("ethtool", "-K", "x-a", "tx", "off");
            assertEquals(List.of("[]", "x-a false", "x-b true"), read(space, "x-a", "x-b"));
            nft(space, """
                table netdev guard {
                  chain several {
                    type filter hook ingress devices = { "x-a", "x-b" } priority -500; policy drop;
                  }
                  chain lenient {
                    type filter hook ingress device "x-c" priority -400; policy accept;
                  }
                  chain plain {
                  }
                }
                """);
            assertEquals("[x-a, x-b]", read(space).getFirst());
            nft(
                    space,
                    "add chain netdev guard one { type filter hook ingress device \"x-c\" priority -300; policy drop;"
                            + " }\n");
            assertEquals("[x-a, x-b, x-c]", read(space).getFirst());
            nft(space, "delete table netdev guard\n");
            assertEquals("[]", read(space).getFirst());
        }
    }

    private static void nft(Namespace space, String rules) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(space.inside("nft", "-f", "-"))
                .redirectErrorStream(true)
                .start();
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(rules);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }

    @Test
    void anInterfaceThatIsNotThereIsNamedSo() {
        for (String name : List.of("qlb-none", "a-name-that-no-interface-can-have")) {
            var failure = assertThrows(LinuxException.class, () -> TransmitChecksums.offloaded(name));
            assertEquals(19, failure.errno());
        }
    }
}
