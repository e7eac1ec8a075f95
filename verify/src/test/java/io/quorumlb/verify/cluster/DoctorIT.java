package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.DiagnoseRequest;
import io.quorumlb.proto.v1.DiagnoseResponse;
import io.quorumlb.proto.v1.Finding;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** What is planted on a node of the site is found by the doctor, asked at another node, and is no longer found once it is taken back. */
@ClusterTest
@Order(6)
final class DoctorIT {
    private static final String NODE = "n2";
    private static final String ASKED = "n1";
    private static final Duration ANSWER = Duration.ofSeconds(8);
    private static final Duration SOON = Duration.ofSeconds(20);

    private static DiagnoseResponse diagnosed(Site site) {
        return site.api(ASKED).service(ANSWER).diagnose(DiagnoseRequest.getDefaultInstance());
    }

    private static Predicate<Finding> of(String code) {
        return finding -> finding.getNode().equals(NODE) && finding.getCode().equals(code);
    }

    private static void awaitFound(Site site, String code, String value) {
        Waiting.start().until(code + " is found", SOON, () -> {
            DiagnoseResponse response = diagnosed(site);
            boolean so = response.getFindingsList().stream()
                    .filter(of(code))
                    .anyMatch(finding -> finding.getProblem().contains(value)
                            && !finding.getRemedy().isEmpty());
            return so ? Optional.empty() : Optional.of(response.toString());
        });
        Container.Output output = site.container(ASKED).exec("lbctl", "--timeout", "8s", "doctor");
        assertEquals(1, output.status(), output.out() + output.err());
        assertTrue(output.out().contains(code + ": "), output.out());
    }

    private static void awaitGone(Site site, String code) {
        Waiting.start().until(code + " is gone", SOON, () -> {
            List<Finding> left =
                    diagnosed(site).getFindingsList().stream().filter(of(code)).toList();
            return left.isEmpty() ? Optional.empty() : Optional.of(left.toString());
        });
    }

    /** Plants, waits until it is found, takes it back, waits until it is gone. */
    private static void planted(Site site, String plant, String code, String value, String takeBack) {
        try {
            site.container(NODE).shell(plant);
            awaitFound(site, code, value);
        } finally {
            site.container(NODE).shell(takeBack);
        }
        awaitGone(site, code);
    }

    @Test
    void nothingThatIsNotPlantedIsFound(Site site) {
        // Earlier tests alter flows, and the machine of the test may be short of room or forward: the rest is not
        // theirs.
        List<String> left = List.of("flows-altered", "disk-nearly-full", "ip-forward-on", "clock-step");
        Waiting.start().until("nothing else is found", SOON, () -> {
            DiagnoseResponse response = diagnosed(site);
            List<Finding> found = response.getFindingsList().stream()
                    .filter(finding -> !left.contains(finding.getCode()))
                    .toList();
            return found.isEmpty() && response.getUnexaminedCount() == 0
                    ? Optional.empty()
                    : Optional.of(response.toString());
        });
    }

    @Test
    void anOffload(Site site) {
        planted(site, "ethtool -K p3 tx on", "offload-on", "interface p3", "ethtool -K p3 tx off");
    }

    @Test
    void aGuardThatIsGone(Site site) {
        String rules = site.container(NODE).shell("nft list table netdev quorumlb_guard");
        planted(
                site,
                "nft delete table netdev quorumlb_guard",
                "guard-missing",
                "x-uplink",
                "nft list table netdev quorumlb_guard > /dev/null 2>&1 || nft -f - <<'RULES'\n" + rules + "\nRULES");
    }

    @Test
    void forwardingByTheKernel(Site site) {
        String before =
                site.container(NODE).shell("cat /proc/sys/net/ipv4/ip_forward").strip();
        boolean writable = site.container(NODE)
                        .exec("sysctl", "-qw", "net.ipv4.ip_forward=1")
                        .status()
                == 0;
        Assumptions.assumeTrue(writable, "/proc/sys is read-only in the container");
        try {
            awaitFound(site, "ip-forward-on", "net.ipv4.ip_forward is 1");
        } finally {
            site.container(NODE).shell("sysctl -qw net.ipv4.ip_forward=" + before);
        }
        if (before.equals("0")) {
            awaitGone(site, "ip-forward-on");
        }
    }

    @Test
    void aBirdThatDoesNotAnswer(Site site) {
        planted(
                site,
                "kill -STOP $(cat /run/quorumlb/bird.pid)",
                "bird-down",
                "BIRD",
                "kill -CONT $(cat /run/quorumlb/bird.pid)");
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    @Test
    void aForeignFlow(Site site) {
        planted(
                site,
                "ovs-ofctl -O OpenFlow15 add-flow br-lb cookie=0xdeadbeef,table=11,priority=7,reg0=9,actions=drop",
                "foreign-flows",
                "1 flows of others",
                "ovs-ofctl -O OpenFlow15 --strict del-flows br-lb table=11,priority=7,reg0=9");
    }

    @Test
    void anAlteredFlow(Site site) {
        site.container(NODE)
                .shell("ovs-ofctl -O OpenFlow15 --strict mod-flows br-lb"
                        + " table=11,priority=100,reg0=1,reg1=99,actions=drop");
        // It is told for an hour: there is nothing to take back.
        awaitFound(site, "flows-altered", "altered ");
    }

    @Test
    void aSettingOfOpenVSwitch(Site site) {
        planted(
                site,
                "ovs-vsctl --no-wait remove Open_vSwitch . other_config n-revalidator-threads",
                "switch-setting",
                "n-revalidator-threads",
                "ovs-vsctl --no-wait set Open_vSwitch . other_config:n-revalidator-threads=1");
    }

    @Test
    void aBridgeThatDoesNotSpeakOpenFlow15(Site site) {
        planted(
                site,
                "ovs-vsctl --no-wait set bridge br-lb protocols=OpenFlow14",
                "openflow-version",
                "protocols is OpenFlow14",
                "ovs-vsctl --no-wait set bridge br-lb protocols=OpenFlow15");
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    @Test
    void aBridgeWithInBandControl(Site site) {
        planted(
                site,
                "ovs-vsctl --no-wait set bridge br-lb other_config:disable-in-band=false",
                "in-band",
                "disable-in-band is false",
                "ovs-vsctl --no-wait set bridge br-lb other_config:disable-in-band=true");
    }

    @Test
    void aNodeThatSeesNoMember(Site site) {
        planted(
                site,
                "nft 'table ip quorumlb_blind { chain out { type filter hook output priority 0;"
                        + " ip daddr { 10.20.0.0/24, 10.30.0.0/24 } meta l4proto tcp drop; }; }'",
                "blind-node",
                NODE + " sees all ",
                "nft delete table ip quorumlb_blind");
        site.awaitConverged(Site.ALL, SOON);
    }

    @Test
    void aLeaderThatHearsNobody(Site site) {
        String leader = site.leader();
        site.container(leader)
                .shell("nft 'table ip quorumlb_deaf {"
                        + " chain in { type filter hook input priority 0; tcp dport 7402 drop; tcp sport 7402 drop; };"
                        + " chain out { type filter hook output priority 0; tcp dport 7402 drop; tcp sport 7402 drop; };"
                        + " }'");
        try {
            // Nobody else hears it: it says so itself, until it gives its office away.
            Waiting.start().until("deaf-leader is found", SOON, () -> {
                DiagnoseResponse response =
                        site.api(leader).service(ANSWER).diagnose(DiagnoseRequest.getDefaultInstance());
                return response.getFindingsList().stream()
                                .anyMatch(finding -> finding.getCode().equals("deaf-leader"))
                        ? Optional.empty()
                        : Optional.of(response.toString());
            });
        } finally {
            site.container(leader).shell("nft delete table ip quorumlb_deaf");
        }
        site.awaitConverged(Site.ALL, SOON);
    }

    @Test
    void aNodeThatCannotBeAsked(Site site) {
        site.container("n3").pause();
        try {
            DiagnoseResponse response = diagnosed(site);
            assertEquals("n3", response.getUnexamined(0).getNode(), response::toString);
        } finally {
            site.container("n3").unpause();
            site.awaitConverged(Site.ALL, SOON);
        }
    }
}
