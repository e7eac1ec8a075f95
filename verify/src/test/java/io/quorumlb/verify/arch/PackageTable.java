package io.quorumlb.verify.arch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which package may use which; docs/architecture.md shows the same to people. A new package comes with its row. */
final class PackageTable {
    static final String ROOT = "io.quorumlb.";

    private static final String GRPC = "io.grpc";
    private static final String JACKSON = "tools.jackson";
    private static final String NETTY = "io.netty";
    private static final String PROTOBUF = "com.google.protobuf";
    private static final String SLF4J = "org.slf4j";

    private static final SortedMap<String, Row> ROWS = new TreeMap<>();

    static {
        pure("maglev");
        pure("consensus.model", "maglev");
        pure("consensus.pool", "consensus.model", "maglev");
        pure("consensus.machine", "consensus.model", "consensus.pool", "maglev");
        pure("consensus.plan", "consensus.model", "consensus.pool", "consensus.machine", "maglev");
        pure("consensus.site", "consensus.model", "consensus.machine", "maglev");
        pure("ovs.flow");
        pure("ovs.packet", "ovs.flow", "maglev");
        pure("ovs.hash", "maglev");
        pure("ovs.pipeline", "ovs.flow", "ovs.hash", "maglev").with("java.util.regex");
        pure(
                "node.core",
                "consensus.model",
                "consensus.pool",
                "consensus.machine",
                "consensus.plan",
                "consensus.log",
                "ovs.flow",
                "ovs.hash",
                "ovs.packet",
                "ovs.pipeline",
                "maglev");

        shell("consensus.log", "consensus.machine", "consensus.model", "consensus.pool");
        shell("consensus.wire", "consensus.model", "consensus.pool", "consensus.machine", "maglev", "proto.v1")
                .with(PROTOBUF);
        shell("consensus.raft", "consensus.log", "consensus.machine", "consensus.model", "consensus.wire", "proto.v1")
                .with(PROTOBUF, SLF4J, "org.apache.ratis");
        shell("ovs.openflow", "ovs.flow").with(NETTY, SLF4J);
        shell("ovs.ovsdb", "ovs.flow").with(NETTY, JACKSON);
        shell("ovs.unixctl").with(NETTY, JACKSON, SLF4J);
        shell("ovs.linux", "maglev");
        shell("ovs.neighbour", "ovs.linux", "ovs.flow", "ovs.packet", "maglev");
        shell(
                        "ovs.install",
                        "ovs.flow",
                        "ovs.hash",
                        "ovs.openflow",
                        "ovs.packet",
                        "ovs.pipeline",
                        "ovs.unixctl",
                        "maglev")
                .with(SLF4J);
        shell("node.state", "node.core", "consensus.machine");
        shell(
                        "node.wire",
                        "node.core",
                        "consensus.log",
                        "consensus.machine",
                        "consensus.model",
                        "consensus.plan",
                        "consensus.pool",
                        "consensus.wire",
                        "ovs.flow",
                        "ovs.hash",
                        "ovs.pipeline",
                        "maglev",
                        "proto.v1")
                .with(PROTOBUF);
        shell("node.probe", "node.core", "consensus.model", "consensus.pool", "maglev");
        shell(
                        "node.gossip",
                        "node.core",
                        "node.wire",
                        "consensus.log",
                        "consensus.machine",
                        "consensus.model",
                        "consensus.wire",
                        "proto.v1")
                .with(PROTOBUF, GRPC, SLF4J);
        shell("node.access", "consensus.machine", "consensus.model", "consensus.wire", "proto.v1")
                .with(PROTOBUF, "com.google.rpc", GRPC, SLF4J);
        shell(
                        "node.doctor",
                        "node.announce",
                        "node.core",
                        "consensus.log",
                        "consensus.model",
                        "ovs.hash",
                        "ovs.linux",
                        "maglev",
                        "proto.v1")
                .with(PROTOBUF);
        shell(
                        "node.api",
                        "node.access",
                        "node.core",
                        "node.doctor",
                        "node.state",
                        "node.gossip",
                        "node.wire",
                        "consensus.log",
                        "consensus.machine",
                        "consensus.model",
                        "consensus.plan",
                        "consensus.pool",
                        "consensus.site",
                        "consensus.wire",
                        "ovs.flow",
                        "maglev",
                        "proto.v1")
                .with(PROTOBUF, "com.google.rpc", GRPC, SLF4J);
        shell("node.http", "maglev").with("com.sun.net.httpserver", SLF4J);
        shell("node.json", "node.http").with(PROTOBUF, "com.google.rpc", GRPC, JACKSON, SLF4J);
        shell("node.announce", "maglev");
        shell("node.telemetry", "node.core", "consensus.log", "consensus.model", "ovs.pipeline", "maglev")
                .with("io.micrometer");
        shell(
                        "node.shell",
                        "node.core",
                        "node.state",
                        "node.announce",
                        "consensus.log",
                        "consensus.machine",
                        "consensus.model",
                        "ovs.flow",
                        "ovs.hash",
                        "ovs.packet",
                        "ovs.install",
                        "ovs.pipeline",
                        "ovs.packet",
                        "maglev")
                .with(SLF4J);
        wiring("node.main");
        shell("lbctl", "maglev", "proto.v1").with(PROTOBUF, "com.google.rpc", GRPC, "picocli", "org.snakeyaml.engine");
    }

    private PackageTable() {}

    /**
     * What one package may use beside itself and the JDK.
     *
     * @param pure true if it may use the listed parts of the JDK only
     * @param everything true for the one place that sees all of ours
     * @param packages packages of ours
     * @param libraries prefixes of foreign packages
     */
    record Row(boolean pure, boolean everything, SortedSet<String> packages, List<String> libraries) {
        void with(String... prefixes) {
            libraries.addAll(Arrays.asList(prefixes));
        }
    }

    static SortedMap<String, Row> rows() {
        return Collections.unmodifiableSortedMap(ROWS);
    }

    static boolean isPure(String packageName) {
        Row row = ROWS.get(packageName);
        return row != null && row.pure();
    }

    private static Row pure(String name, String... uses) {
        var row = new Row(true, false, new TreeSet<>(List.of(uses)), new ArrayList<>());
        ROWS.put(name, row);
        return row;
    }

    private static Row shell(String name, String... uses) {
        var row = new Row(false, false, new TreeSet<>(List.of(uses)), new ArrayList<>());
        ROWS.put(name, row);
        return row;
    }

    private static void wiring(String name) {
        var row = new Row(false, true, new TreeSet<>(), new ArrayList<>());
        row.with(GRPC, JACKSON, SLF4J, "io.micrometer", "ch.qos.logback");
        ROWS.put(name, row);
    }
}
