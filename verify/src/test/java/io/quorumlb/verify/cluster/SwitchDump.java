package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.HashAlgoVersion;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
    private static final int MEMBER_TABLE = 13;
    private static final int NOBODY = 0;
    private static final String V2_LABEL = "quorumlb/slots/2";
    private static final Pattern LINE = Pattern.compile(
            "cookie=0x(?<cookie>[0-9a-f]+), duration=(?<seconds>[0-9.]+)s, table=(?<table>[0-9]+), n_packets=(?<packets>[0-9]+), .*?"
                    + "(?<match>(?:priority=|\\S*reset_counts)\\S*) actions=(?<actions>.*)");
    private static final Pattern POOL = Pattern.compile("reg0=(0x[0-9a-f]+|[0-9]+)");
    private static final Pattern SLOT = Pattern.compile("reg1=(0x[0-9a-f]+|[0-9]+)");
    private static final Pattern MEMBER = Pattern.compile("reg2=(0x[0-9a-f]+|[0-9]+)");
    private static final Pattern OWNER =
            Pattern.compile("(?:set_field:|load:)(0x[0-9a-f]+|[0-9]+)->(?:reg2|NXM_NX_REG2\\[\\])");
    private static final Pattern TRANSLATION =
            Pattern.compile("set_field:([0-9a-f.:]+)->ip(?:v6)?_dst,set_field:([0-9]+)->tcp_dst");

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

        private Optional<Integer> matched(Pattern field) {
            return number(field.matcher(match));
        }

        private Optional<Integer> done(Pattern action) {
            return number(action.matcher(actions));
        }

        private static Optional<Integer> number(Matcher found) {
            return found.find() ? Optional.of(Integer.decode(found.group(1))) : Optional.empty();
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

    /** Returns the member of each slot of the pool that has one. */
    SortedMap<Integer, Integer> owners(SitePool pool) {
        SortedMap<Integer, Integer> owners = new TreeMap<>();
        for (Line flow : flows) {
            if (flow.table() == SLOTS_TABLE && flow.matched(POOL).equals(Optional.of(pool.id()))) {
                flow.matched(SLOT).ifPresent(slot -> flow.done(OWNER).ifPresent(owner -> owners.put(slot, owner)));
            }
        }
        return owners;
    }

    /** Returns the number of slots of the pool by the name of their member. */
    SortedMap<String, Integer> shares(SitePool pool) {
        SortedMap<String, Integer> shares = new TreeMap<>();
        owners(pool).values().forEach(owner -> shares.merge(pool.memberName(owner), 1, Integer::sum));
        return shares;
    }

    /** Returns how many of the pool's slots have another owner in the other dump although nothing befell the one here. */
    static int collateral(SitePool pool, SwitchDump before, SwitchDump after, String gone) {
        SortedMap<Integer, Integer> later = after.owners(pool);
        return (int) before.owners(pool).entrySet().stream()
                .filter(slot -> slot.getValue() != pool.memberId(gone)
                        && !slot.getValue().equals(later.get(slot.getKey())))
                .count();
    }

    /** Returns what each pool's slots amount to. */
    Tables tables() {
        return Tables.of(this::digest);
    }

    /** Returns the digest of the pool's slots, computed here as docs/maglev.md says. */
    private String digest(SitePool pool) {
        SortedMap<Integer, Integer> owners = owners(pool);
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            if (pool.version() == HashAlgoVersion.V1) {
                for (int slot = 0; slot < SitePool.SLOTS; slot++) {
                    out.writeInt(owners.getOrDefault(slot, NOBODY));
                }
            } else {
                writeByKeys(pool, owners, out);
            }
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
    }

    /** Version 2 names the owners by where the switch sends their packets, in the order of these texts. */
    private void writeByKeys(SitePool pool, SortedMap<Integer, Integer> owners, DataOutputStream out)
            throws IOException {
        SortedMap<Integer, String> translations = translations();
        SortedMap<String, Integer> idByKey = new TreeMap<>();
        owners.values().forEach(id -> idByKey.put(translations.getOrDefault(id, "?" + id), id));
        List<Integer> ranked = List.copyOf(idByKey.values());
        out.writeBytes(V2_LABEL);
        out.writeShort(pool.id());
        out.writeByte(Integer.numberOfTrailingZeros(SitePool.SLOTS));
        out.writeInt(ranked.size());
        for (String key : idByKey.keySet()) {
            byte[] text = key.getBytes(StandardCharsets.US_ASCII);
            out.writeShort(text.length);
            out.write(text);
        }
        for (int slot = 0; slot < (ranked.isEmpty() ? 0 : SitePool.SLOTS); slot++) {
            // -1, so 65535, for a slot without owner.
            out.writeShort(ranked.indexOf(owners.getOrDefault(slot, NOBODY)));
        }
    }

    private static String key(String address, String port) {
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    /** Returns address:port that TCP packets to a member get, by the member's id. */
    private SortedMap<Integer, String> translations() {
        SortedMap<Integer, String> keys = new TreeMap<>();
        for (Line flow : flows) {
            Matcher translation = TRANSLATION.matcher(flow.actions());
            if (flow.table() == MEMBER_TABLE && translation.find()) {
                flow.matched(MEMBER)
                        .ifPresent(member -> keys.put(member, key(translation.group(1), translation.group(2))));
            }
        }
        return keys;
    }
}
