package io.quorumlb.consensus.model;

/** What a probe asks of a member. */
public sealed interface MonitorCheck {
    /**
     * GET of a path over HTTP/1.1; any 2xx or 3xx status is a success.
     *
     * @param path starts with a slash, printable ASCII without blanks, at most 1024
     */
    record Http(String path) implements MonitorCheck {
        private static final int PATH_LENGTH_MAX = 1024;

        /** Checks the path. */
        public Http {
            boolean printable = path.chars().allMatch(c -> c > ' ' && c < 127);
            if (!path.startsWith("/") || path.length() > PATH_LENGTH_MAX || !printable) {
                throw new IllegalArgumentException(
                        "monitor path '%s': printable ASCII without blanks, starting with /, at most %d, expected"
                                .formatted(path, PATH_LENGTH_MAX));
            }
        }
    }

    /**
     * A TCP connection that opens. It cannot see a frozen process: the kernel still completes handshakes until the
     * listen backlog is full.
     */
    record Tcp() implements MonitorCheck {}

    /**
     * A datagram and its answer. A port that the member's kernel calls unreachable is a failure at once.
     *
     * @param payload what is sent, 1..1024 bytes
     * @param expect bytes that the answer must have in it, in a row; none: any answer will do
     * @param silence what no answer within the timeout means
     */
    record Udp(ProbeBytes payload, ProbeBytes expect, Silence silence) implements MonitorCheck {
        /** Checks that there is something to send, and that silence and an expected answer are not both wanted. */
        public Udp {
            if (payload.length() == 0) {
                throw new IllegalArgumentException(
                        "monitor payload is empty: a UDP probe sends 1..%d bytes".formatted(ProbeBytes.LENGTH_MAX));
            }
            if (silence == Silence.WEAKLY_UP && expect.length() > 0) {
                throw new IllegalArgumentException(
                        "monitor expect '%s' contradicts silence that counts as up: one of the two expected"
                                .formatted(expect));
            }
        }
    }

    /** What it means when nothing comes back. */
    enum Silence {
        /** The member fails. */
        FAILURE,
        /**
         * The member is taken for up, although nothing shows that it is: only for services that answer nobody. A host
         * that is gone looks the same.
         */
        WEAKLY_UP
    }
}
