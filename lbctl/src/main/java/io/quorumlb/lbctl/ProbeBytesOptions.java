package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import io.quorumlb.proto.v1.HealthMonitor;
import java.util.HexFormat;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say what a UDP probe sends and wants to hear. */
final class ProbeBytesOptions {
    @Option(names = "--payload", paramLabel = "TEXT", description = "UDP only: what is sent, 1..1024 bytes.")
    private Optional<String> payload = Optional.empty();

    @Option(names = "--payload-hex", paramLabel = "HEX", description = "The same in hexadecimal digits.")
    private Optional<String> payloadHex = Optional.empty();

    @Option(
            names = "--expect",
            paramLabel = "TEXT",
            description = "UDP only: what the answer must have in it; empty, as it is at first: any answer will do.")
    private Optional<String> expect = Optional.empty();

    @Option(names = "--expect-hex", paramLabel = "HEX", description = "The same in hexadecimal digits.")
    private Optional<String> expectHex = Optional.empty();

    @Option(
            names = "--silence-up",
            description =
                    "UDP only, without --expect: no answer counts as up, unless the port is unreachable. Nothing shows"
                            + " then that a member serves; its observations say 'weak'.")
    private boolean silenceUp;

    /**
     * Fills in what was given; the rest stays.
     *
     * @throws CommandFailure if a text is given twice or its digits are not hexadecimal
     */
    void fill(HealthMonitor.Builder monitor) {
        bytes("--payload", payload, payloadHex).ifPresent(monitor::setPayload);
        bytes("--expect", expect, expectHex).ifPresent(monitor::setExpect);
        if (silenceUp) {
            monitor.setSilenceUp(true);
        }
    }

    private static Optional<ByteString> bytes(String option, Optional<String> text, Optional<String> hex) {
        if (text.isPresent() && hex.isPresent()) {
            throw new CommandFailure(ExitCode.USAGE, "%s beside %s-hex: give one of them".formatted(option, option));
        }
        return text.map(ByteString::copyFromUtf8).or(() -> hex.map(digits -> ofHex(option, digits)));
    }

    private static ByteString ofHex(String option, String digits) {
        try {
            return ByteString.copyFrom(HexFormat.of().parseHex(digits));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "%s-hex: '%s' is not pairs of hexadecimal digits, for example 0a1b".formatted(option, digits));
        }
    }
}
