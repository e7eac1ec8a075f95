package io.quorumlb.node.announce;

import java.io.IOException;

/**
 * The file by which the controller confirms to the supervisor that the VIPs may be announced: a number that grows with
 * each confirmation. The supervisor withdraws the VIPs when the number stops growing.
 */
final class Lease {
    private final SmallFile file;
    private long last = -1;

    Lease(SmallFile file) {
        this.file = file;
    }

    SmallFile file() {
        return file;
    }

    /** Confirms once more. The number goes on from what an earlier process left. */
    void renew() throws IOException {
        long next = (last >= 0 ? last : found()) + 1;
        file.write(next + "\n");
        last = next;
    }

    private long found() throws IOException {
        String text = file.read().orElse("").strip();
        boolean number = !text.isEmpty() && text.length() <= 18 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(text) : 0;
    }
}
