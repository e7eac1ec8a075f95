package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import io.quorumlb.proto.v1.HealthMonitor;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** What a probe asks, in a few words: {@code /health}, {@code port 9000}, {@code "ping" expects "pong"}. */
final class MonitorText {
    private MonitorText() {}

    static String of(HealthMonitor monitor) {
        List<String> parts = new ArrayList<>();
        if (!monitor.getPath().isEmpty()) {
            parts.add(monitor.getPath());
        }
        if (!monitor.getPayload().isEmpty()) {
            parts.add(text(monitor.getPayload()));
        }
        if (!monitor.getExpect().isEmpty()) {
            parts.add("expects " + text(monitor.getExpect()));
        }
        if (monitor.getSilenceUp()) {
            parts.add("silence is weakly up");
        }
        if (monitor.getPort() != 0) {
            parts.add("port " + Integer.toUnsignedString(monitor.getPort()));
        }
        return String.join(" ", parts);
    }

    private static String text(ByteString bytes) {
        boolean printable = true;
        for (byte one : bytes) {
            printable &= one >= ' ' && one < 127;
        }
        return printable
                ? "\"" + bytes.toStringUtf8() + "\""
                : "0x" + HexFormat.of().formatHex(bytes.toByteArray());
    }
}
