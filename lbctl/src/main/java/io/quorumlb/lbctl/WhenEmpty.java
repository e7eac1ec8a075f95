package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.EmptyPolicy;
import io.quorumlb.proto.v1.Listener;

/**
 * What becomes of a listener's packets while its pool counts as empty, as people write it.
 *
 * @param policy what is done
 * @param pool name of the fallback pool; empty with any other policy
 */
record WhenEmpty(EmptyPolicy policy, String pool) {
    /** The words that people write, for descriptions of options. */
    static final String WORDS = "drop: counted. reject: refused by a TCP reset or an ICMP port unreachable."
            + " fail-open: all enabled members get the packets, although none is up. pool=NAME: another pool gets them. withdraw: dropped, and a VIP all of whose listeners say so is not"
            + " announced.";

    private static final String FALLBACK = "pool=";

    /**
     * Returns what a word means.
     *
     * @param option what it was given for, for the error
     * @throws CommandFailure if it is no such word
     */
    static WhenEmpty parse(String word, String option) {
        if (word.startsWith(FALLBACK) && word.length() > FALLBACK.length()) {
            return new WhenEmpty(EmptyPolicy.EMPTY_POLICY_FALLBACK_POOL, word.substring(FALLBACK.length()));
        }
        EmptyPolicy policy = switch (word) {
            case "drop" -> EmptyPolicy.EMPTY_POLICY_DROP;
            case "reject" -> EmptyPolicy.EMPTY_POLICY_REJECT;
            case "fail-open" -> EmptyPolicy.EMPTY_POLICY_FAIL_OPEN;
            case "withdraw" -> EmptyPolicy.EMPTY_POLICY_WITHDRAW;
            default ->
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "%s: '%s' is none of drop, reject, fail-open, pool=NAME, withdraw".formatted(option, word));
        };
        return new WhenEmpty(policy, "");
    }

    /** Returns the word for what a listener does. */
    static String word(Listener listener) {
        return switch (listener.getWhenEmpty()) {
            case EMPTY_POLICY_UNSPECIFIED, EMPTY_POLICY_DROP -> "drop";
            case EMPTY_POLICY_REJECT -> "reject";
            case EMPTY_POLICY_FAIL_OPEN -> "fail-open";
            case EMPTY_POLICY_FALLBACK_POOL -> FALLBACK + listener.getFallbackPool();
            case EMPTY_POLICY_WITHDRAW -> "withdraw";
            case UNRECOGNIZED -> Integer.toString(listener.getWhenEmptyValue());
        };
    }
}
