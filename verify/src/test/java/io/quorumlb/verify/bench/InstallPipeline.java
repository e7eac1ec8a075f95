package io.quorumlb.verify.bench;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.pipeline.Traffic;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts the product's flows for some listeners and their members into a switch, as a node would, and checks them by reading back. */
public final class InstallPipeline {
    private static final int SLOTS = 1024;
    private static final int TRIES = 5;

    /** No port has such a number: the bench's networks have no interface of the node's own. */
    private static final int NO_INTERNAL_PORT = 0xf000;

    private InstallPipeline() {}

    /**
     * Arguments: run directory, bridge, slot function ({@code multipath} or {@code dp-hash}). Reads what is wanted, a line each:
     *
     * <pre>
     * uplink PORT OWN_MAC OWN_ADDRESS ROUTER_MAC
     * segment PORT OWN_MAC OWN_ADDRESS MEMBER_MAC        one member in each segment
     * pool VIP:PORT (SEGMENT ADDRESS:PORT)...            a listener and the pool behind it
     * </pre>
     *
     * Prints the number of flows.
     */
    public static void main(String[] arguments) {
        try {
            Site site = Site.read(System.in);
            // A node asks again when a connection breaks; so does this.
            SlotFunction function =
                    SlotFunction.valueOf(arguments[2].toUpperCase(Locale.ROOT).replace('-', '_'));
            for (int left = TRIES; !installed(site, function, Path.of(arguments[0]), arguments[1]); left--) {
                if (left == 1) {
                    throw new IOException("no connection to the switch lasted; tried " + TRIES + " times");
                }
            }
        } catch (IOException | DatapathException | IllegalArgumentException failed) {
            System.err.println(failed.getMessage());
            System.exit(1);
        }
    }

    /** Returns false if the switch could not be reached. */
    private static boolean installed(Site site, SlotFunction function, Path runDirectory, String bridge)
            throws IOException, DatapathException {
        var owner = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);
        try (var datapath = new OvsDatapath(new OvsBridge(runDirectory, bridge), owner)) {
            SwitchSnapshot before = datapath.readBack();
            SwitchIntent intent = site.intent(before.ports()).by(function);
            datapath.install(missing(before, intent));
            SwitchSnapshot after = datapath.readBack();
            if (!missing(after, intent).isEmpty()) {
                throw new IOException("the switch does not hold the flows that were installed");
            }
            System.out.println(after.ownFlows().size() + " flows");
            return true;
        } catch (DatapathException failed) {
            if (failed.outcome() == DatapathException.Outcome.REFUSED) {
                throw failed;
            }
            return false;
        }
    }

    private static FlowDelta missing(SwitchSnapshot found, SwitchIntent intent) {
        return FlowDelta.between(found.ownFlows(), Pipeline.flows(intent))
                .withGroups(found.groups(), SlotFunctions.groups(intent));
    }

    /** The lines of the plan. */
    private record Site(List<String[]> plan) {
        static Site read(InputStream in) {
            return new Site(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .lines()
                    .map(line -> line.split(" ", -1))
                    .toList());
        }

        SwitchIntent intent(SortedMap<String, SwitchPort> ports) {
            String[] uplink = lines("uplink").getFirst();
            var segments = new TreeMap<String, SegmentPort>();
            var macs = new TreeMap<String, MacAddress>();
            for (String[] segment : lines("segment")) {
                segments.put(segment[1], new SegmentPort(port(ports, segment), new TreeSet<>()));
                macs.put(segment[1], MacAddress.parse(segment[4]));
            }
            var listeners = new ArrayList<ServedListener>();
            var pools = new ArrayList<ServedPool>();
            int memberId = 0;
            for (String[] pool : lines("pool")) {
                int id = pools.size() + 1;
                var members = new ArrayList<ServedMember>();
                var shares = new ArrayList<TableMember>();
                for (int word = 2; word < pool.length; word += 2) {
                    memberId++;
                    MemberKey key = MemberKey.parse(pool[word + 1]);
                    members.add(new ServedMember(
                            memberId,
                            key.address(),
                            key.port(),
                            pool[word],
                            Optional.ofNullable(macs.get(pool[word]))));
                    shares.add(TableMember.full(memberId, key, 1));
                }
                SlotTable table = SlotTable.build(HashAlgoVersion.V2, id, SLOTS, shares);
                MemberKey vip = MemberKey.parse(pool[1]);
                listeners.add(
                        new ServedListener(id, id, vip.address(), Traffic.port(Traffic.Transport.TCP, vip.port())));
                pools.add(new ServedPool(id, 1, table.digest(), table, members));
            }
            var nextHops = new TreeMap<IpFamily, MacAddress>();
            nextHops.put(IpFamily.IPV4, MacAddress.parse(uplink[4]));
            return new SwitchIntent(port(ports, uplink), nextHops, segments, listeners, pools, new TreeSet<>());
        }

        private List<String[]> lines(String kind) {
            return plan.stream().filter(line -> line[0].equals(kind)).toList();
        }

        private static Port port(SortedMap<String, SwitchPort> ports, String[] line) {
            SwitchPort found = Optional.ofNullable(ports.get(line[1]))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the bridge has no port " + line[1] + "; it has " + String.join(", ", ports.keySet())));
            return new Port(
                    found.number(),
                    NO_INTERNAL_PORT + found.number(),
                    MacAddress.parse(line[2]),
                    new TreeSet<>(List.of(IpAddress.parse(line[3]))));
        }
    }
}
