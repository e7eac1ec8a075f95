package io.quorumlb.node.core;

/**
 * What one probe found.
 *
 * @param success true if the member answered as its monitor wants, in time
 * @param detail for people, for example {@code 200 in 2 ms} or {@code no answer within 500 ms}
 */
public record ProbeResult(boolean success, String detail) {}
