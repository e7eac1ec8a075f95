package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``| one of: cluster, pool, monitor, member, segment, listener, lb, node, trace, apply, diff, export, schema, neigh, maglev, audit, config, doctor, events, watch, completion",
                "member| one of: list, stats, drain, enable, weight, ramp, set-mac, create, delete, show, set, explain, hold, release",
                "membr list| 'membr' is not known here; did you mean: member",
                "member drian web/be1| 'drian' is not known here; did you mean: drain",
                "pool create web --label site| --label: 'site' is not KEY=VALUE",
                "pool set web --label a=1 --label a=2| --label: key 'a' is there twice",
                "member show web| 'web' is not POOL/MEMBER",
                "lb create shop| VIP",
                "lb set shop --state off| --state: 'off' is none of [enabled, disabled]",
                "member drain| POOL/MEMBER",
                "member drain web| 'web' is not POOL/MEMBER",
                "member drain web/be1 --wait forever| --wait",
                "member weight web/be1| N",
                "member weight web/be1 -1| '-1' is not a whole number",
                "member weight web/be1 much| 'much' is not a whole number",
                "member create be1 10.20.0.2:8080 --segment p2| --pool",
                "pool create web --monitor icmp| 'icmp' is none of [http, tcp, udp]",
                "monitor| one of: list, show, set",
                "monitor set web --monitor icmp| 'icmp' is none of [http, tcp, udp]",
                "monitor set web --expect-hex 0| --expect-hex: '0' is not pairs of hexadecimal digits",
                "monitor set web --payload a --payload-hex 61| --payload beside --payload-hex: give one of them",
                "pool create web --algorithm 9| 'v9' is none of [v1, v2]",
                "pool create web --interval 5| '5' is not a duration",
                "pool create web --interval 0s| '0s' is outside 1ms..60m",
                "pool delete web --wait installed| --wait",
                "pool wait web --generation 0| '0' is not a whole number from 1",
                "pool wait web --generation 1 --revision 2| --generation and --revision: one of them only",
                "pool| one of: list, slots, create, wait, plan, guards",
                "segment create p2 10.20.0.0/24 --gateway n1| --gateway",
                "listener create l 10.99.0.10 --pool web| --port: missing",
                "listener create l 10.99.0.10:999999 --pool web| '999999' is none of a port",
                "cluster status --endpoints n1| --endpoints: 'n1' is not HOST:PORT",
                "cluster status --timeout soon| 'soon' is not a duration",
                "cluster status -o xml| --output",
                "cluster status now| 'now' is not known here",
                "cluster status --tls-cert a.crt| --tls-cert and --tls-key go together",
                "cluster status --context nil| there is no context 'nil'",
                "cluster status --token-file /nowhere/token| token file /nowhere/token: there is no such file",
                "cluster status --tls-ca /nowhere/ca.crt| --tls-ca /nowhere/ca.crt: there is no such file",
                "config| one of: set-context, use-context, list, show, delete-context",
                "config show| there is no current context",
                "config set-context a/b --endpoints n1:1| NAME 'a/b': 1..63 letters",
                "config set-context a| nothing to keep",
                "config set-context a --endpoints n1| --endpoints: 'n1' is not HOST:PORT",
                "config use-context a| there is no context 'a'; 'lbctl config set-context' makes one",
                "audit --since soon| 'soon' is not a time span",
                "trace| PROTOCOL",
                "trace tcp 10.40.0.9:1| VIP[:PORT]",
                "trace sctp 10.40.0.9:1 10.99.0.10:80| PROTOCOL must be tcp, udp or 1..255, is 'sctp'",
                "trace 256 10.40.0.9 10.99.0.10| PROTOCOL must be tcp, udp or 1..255, is '256'",
                "trace 0 10.40.0.9 10.99.0.10| PROTOCOL must be tcp, udp or 1..255, is '0'",
                "trace tcp 10.40.0.9 10.99.0.10:80| CLIENT: '10.40.0.9' must name a port, 1..65535, as in 10.40.0.9:12345",
                "trace udp 10.40.0.9:1 fd00:99::10| VIP: 'fd00:99::10' must name a port",
                "trace tcp 10.40.0.9:0 10.99.0.10:80| CLIENT: the port must be 1..65535, is '0'",
                "trace tcp 10.40.0.9:1 10.99.0.10:65536| VIP: the port must be 1..65535, is '65536'",
                "trace tcp [fd00::1]x 10.99.0.10:80| CLIENT: '[fd00::1]x' must be ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT",
                "trace tcp 10.40.0:1 10.99.0.10:80| CLIENT: ",
                "trace 47 10.40.0.9:1 10.99.0.10| CLIENT: '10.40.0.9:1' must be an address only: protocol 47 has no ports",
                "trace tcp 10.40.0.9:1 [fd00:99::10]:80| 10.40.0.9 and fd00:99::10 must be of one version of IP",
            })
    void wrongLinesAreUsageErrorsAndAskNobody(String line, String part) {
        Ran ran = Ran.line(line).endsWith(ExitCode.USAGE).says(part).writes("");
        assertTrue(ran.err().lines().allMatch(said -> said.startsWith("lbctl: ")), ran.err());
    }

    @Test
    void wrongVariableIsNamed() {
        Ran.with(Map.of(GlobalOptions.ENDPOINTS_VARIABLE, "n1;n2"), Console.Colour.OFF, "cluster status")
                .endsWith(ExitCode.USAGE)
                .says("LBCTL_ENDPOINTS: 'n1;n2' is not HOST:PORT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "member --help", "member drain --help", "pool create -h"})
    void helpIsDataAndTrue(String line) {
        Ran ran = Ran.line(line).endsWith(ExitCode.YES);
        assertTrue(ran.out().startsWith("Usage: lbctl"), ran.out());
        assertEquals("", ran.err());
    }

    @Test
    void versionIsTold() {
        assertTrue(Ran.line("--version").endsWith(ExitCode.YES).out().startsWith("lbctl "));
    }

    @Test
    void globalOptionsStandBeforeOrAfterTheVerb() {
        try (var node = new FakeNode().answers("ListPools", Samples.pools())) {
            String options = " --endpoints " + node.endpoint() + " --timeout 3s -o json ";
            String before =
                    Ran.line(options + "pool list").endsWith(ExitCode.YES).out();
            String between =
                    Ran.line("pool" + options + "list").endsWith(ExitCode.YES).out();
            String after =
                    Ran.line("pool list" + options).endsWith(ExitCode.YES).out();
            assertTrue(before.startsWith("{"), before);
            assertEquals(before, between);
            assertEquals(before, after);
        }
    }

    @Test
    void optionWinsOverTheVariable() {
        try (var node = new FakeNode().answers("ListPools", Samples.pools())) {
            Ran.with(
                            Map.of(GlobalOptions.ENDPOINTS_VARIABLE, "127.0.0.1:1"),
                            Console.Colour.OFF,
                            "pool list --endpoints " + node.endpoint())
                    .endsWith(ExitCode.YES);
        }
    }
}
