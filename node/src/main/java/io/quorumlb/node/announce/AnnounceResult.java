package io.quorumlb.node.announce;

/**
 * What became of a call to the announcer.
 *
 * @param announced true if the daemon has just said that it announces exactly what was asked for; false if it
 *     announces nothing or could not be asked
 * @param problem one sentence for people if the call could not do as asked, else empty
 */
public record AnnounceResult(boolean announced, String problem) {}
