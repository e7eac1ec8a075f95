package io.quorumlb.verify.cluster;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The flows of a node's switch as {@code ovs-ofctl} prints them: what is installed, told by a program that is not ours.
 *
 * @param flows all flows
 */
record SwitchDump(List<Line> flows) {
    private static final int SLOTS_TABLE = 11;
    private static final int SLOTS = 1024;
    private static final Pattern LINE = Pattern.compile(
            "cookie=0x(?<cookie>[0-9a-f]+), duration=(?<seconds>[0-9.]+)s, table=(?<table>[0-9]+), n_packets=(?<packets>[0-9]+), .*?"
                    + "(?<match>(?:priority=|\\S*reset_counts)\\S*) actions=(?<actions>.*)");
    private static final Pattern SLOT = Pattern.compile("reg1=(0x[0-9a-f]+|[0-9]+)");
    private static final Pattern OWNER =
            Pattern.compile("(?:set_field:|load:)(0x[0-9a-f]+|[0-9]+)->(?:reg2|NXM_NX_REG2\\[\\])");

    SwitchDump {
        flows = List.copyOf(flows);
    }

    /**
     * One flow.
     *
     * @param cookie its cookie
     * @param seconds its age
     * @param table its table
     * @param packets packets that it has counted
     * @param match priority and match
     * @param actions what it does
     */
    record Line(long cookie, double seconds, int table, long packets, String match, String actions) {
        int kind() {
            return (int) (cookie >>> 40 & 0xff);
        }
    }

    /** Asks the node's switch. */
    static SwitchDump of(Container node) {
        return parse(node.run("ovs-ofctl", "-O", "OpenFlow15", "dump-flows", "br-lb"));
    }

    static SwitchDump parse(String text) {
        List<Line> lines = new ArrayList<>();
        text.lines().filter(line -> line.contains("cookie=")).forEach(line -> {
            Matcher found = LINE.matcher(line);
            if (!found.find()) {
                throw new IllegalStateException("cannot read this line of ovs-ofctl: " + line);
            }
            lines.add(new Line(
                    Long.parseUnsignedLong(found.group("cookie"), 16),
                    Double.parseDouble(found.group("seconds")),
                    Integer.parseInt(found.group("table")),
                    Long.parseLong(found.group("packets")),
                    found.group("match"),
                    found.group("actions")));
        });
        return new SwitchDump(lines);
    }

    /** Returns the member of each slot of pool 1 that has one. */
    SortedMap<Integer, Integer> owners() {
        SortedMap<Integer, Integer> owners = new TreeMap<>();
        for (Line flow : flows) {
            Matcher slot = SLOT.matcher(flow.match());
            Matcher owner = OWNER.matcher(flow.actions());
            if (flow.table() == SLOTS_TABLE && slot.find() && owner.find()) {
                owners.put(Integer.decode(slot.group(1)), Integer.decode(owner.group(1)));
            }
        }
        return owners;
    }

    /** Returns the first 16 hexadecimal digits of the digest of the slots. */
    String digest() {
        ByteBuffer bytes = ByteBuffer.allocate(SLOTS * Integer.BYTES);
        owners().forEach((slot, owner) -> bytes.putInt(slot * Integer.BYTES, owner));
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()))
                    .substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns the number of slots by member. */
    SortedMap<Integer, Integer> shares() {
        SortedMap<Integer, Integer> shares = new TreeMap<>();
        owners().values().forEach(owner -> shares.merge(owner, 1, Integer::sum));
        return shares;
    }

    /** Returns how many slots have another owner in the other dump although the owner here was not the given one. */
    static int collateral(SwitchDump before, SwitchDump after, int gone) {
        SortedMap<Integer, Integer> later = after.owners();
        return (int) before.owners().entrySet().stream()
                .filter(slot -> slot.getValue() != gone && !slot.getValue().equals(later.get(slot.getKey())))
                .count();
    }
}
