package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.MacAddress;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code ofproto/trace} says of a packet, in the words of Open vSwitch 3.1 to 3.5. The registers say who takes
 * the packet, whoever wrote them; the cookie of the last flow it met says why it goes no further.
 */
public final class TraceReader {
    private static final Pattern STEP =
            Pattern.compile("^ *(\\d{1,3})\\. .*priority \\d{1,5}(?:, cookie 0x([0-9a-f]{1,16}))?\\s*$");
    private static final Pattern OUTPUT = Pattern.compile("^ *output:(\\d{1,9})\\s*$");
    private static final Pattern MAC = Pattern.compile("(?:^|,)dl_dst=((?:[0-9a-f]{2}:){5}[0-9a-f]{2})(?:,|$)");
    private static final Pattern WRITTEN = Pattern.compile("^ *set_field:(0x[0-9a-f]{1,8}|0)->reg([0-3])\\s*$");
    private static final Pattern RECKONED =
            Pattern.compile("^ *-> NXM_NX_REG([0-3])\\[\\] is now (0x[0-9a-f]{1,8}|0)\\s*$");
    private static final String FINAL = "Final flow: ";
    private static final int SLOT_SET = 0;
    private static final int SLOT = 1;
    private static final int MEMBER = 2;
    private static final int LISTENER = 3;

    private final SortedMap<Integer, Integer> registers = new TreeMap<>();
    private OptionalInt port = OptionalInt.empty();
    private Optional<MacAddress> mac = Optional.empty();
    private String last = "no flow takes it";

    private TraceReader() {}

    /** Returns the way of the packet; what the trace does not tell is empty. */
    public static PacketPath read(String trace) {
        var reader = new TraceReader();
        trace.lines().forEach(reader::line);
        boolean leaves = reader.port.isPresent();
        return new PacketPath(
                reader.register(LISTENER),
                reader.register(SLOT_SET),
                reader.register(SLOT),
                reader.register(MEMBER),
                reader.port,
                leaves ? reader.mac : Optional.empty(),
                leaves ? "" : reader.last,
                PacketPath.Source.TRACED);
    }

    private OptionalInt register(int number) {
        Integer value = registers.get(number);
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private void line(String line) {
        Matcher step = STEP.matcher(line);
        Matcher written = WRITTEN.matcher(line);
        Matcher reckoned = RECKONED.matcher(line);
        Matcher output = OUTPUT.matcher(line);
        if (step.find()) {
            last = "dropped by table %s: %s".formatted(step.group(1), purpose(step.group(2)));
        } else if (written.find()) {
            registers.put(Integer.valueOf(written.group(2)), number(written.group(1)));
        } else if (reckoned.find()) {
            registers.put(Integer.valueOf(reckoned.group(1)), number(reckoned.group(2)));
        } else if (output.find()) {
            port = OptionalInt.of(Integer.parseInt(output.group(1)));
        } else if (line.startsWith(FINAL)) {
            Matcher found = MAC.matcher(line.substring(FINAL.length()));
            mac = found.find() ? Optional.of(MacAddress.parse(found.group(1))) : Optional.empty();
        }
    }

    private static int number(String text) {
        return Long.decode(text).intValue();
    }

    private static String purpose(@Nullable String cookieHex) {
        long cookie = cookieHex == null ? 0 : Long.parseUnsignedLong(cookieHex, 16);
        if ((cookie & Cookie.OWNER_MASK) != Cookie.OWNER) {
            return "its flow is not ours";
        }
        return Cookie.kind(cookie).map(TraceReader::words).orElse("of a later version");
    }

    private static String words(Cookie.Kind kind) {
        return switch (kind) {
            case FAIL_CLOSE -> "no member has the slot";
            case REJECT -> "the pool has no member left, and the client is told so";
            case UNKNOWN_PORT -> "no listener of the VIP takes it";
            case MALFORMED -> "it lacks the ports of its protocol";
            case TTL -> "its time to live is over";
            case NO_MAC -> "the MAC address of its member is not known";
            case NOT_OURS -> "it is neither for this node nor for a VIP";
            case ICMP -> "ICMP that is no echo request";
            case FRAGMENT -> "a fragment";
            case MISS -> "no flow of it matches";
            case INGRESS, LISTENER, SLOT, MEMBER, UN_DNAT, EGRESS, ECHO, FINGERPRINT, MARKER, FAIL_OPEN ->
                "a flow that leads no further";
        };
    }
}
