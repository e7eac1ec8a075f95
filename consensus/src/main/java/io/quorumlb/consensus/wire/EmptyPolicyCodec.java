package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.SetWhenEmpty;

/** Converts what becomes of a listener's packets while its pool counts as empty; as {@link ModelCodec} in all else. */
public final class EmptyPolicyCodec {
    private EmptyPolicyCodec() {}

    /** Dropping is not written: what an older version does not know, it does already. */
    static void toWire(EmptyPolicy policy, Listener.Builder message) {
        message.setWhenEmpty(word(policy)).setFallbackPool(fallback(policy));
    }

    static SetWhenEmpty toWire(String listener, EmptyPolicy policy) {
        return SetWhenEmpty.newBuilder()
                .setListener(listener)
                .setWhenEmpty(word(policy))
                .setFallbackPool(fallback(policy))
                .build();
    }

    private static String fallback(EmptyPolicy policy) {
        return policy instanceof EmptyPolicy.FallbackPool(String pool) ? pool : "";
    }

    private static io.quorumlb.proto.v1.EmptyPolicy word(EmptyPolicy policy) {
        return switch (policy) {
            case EmptyPolicy.Drop _ -> io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_UNSPECIFIED;
            case EmptyPolicy.Reject _ -> io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_REJECT;
            case EmptyPolicy.FailOpen _ -> io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_FAIL_OPEN;
            case EmptyPolicy.FallbackPool _ -> io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_FALLBACK_POOL;
            case EmptyPolicy.Withdraw _ -> io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_WITHDRAW;
        };
    }

    /**
     * Returns the policy of a message; unspecified drops.
     *
     * @param fallbackPool name of a pool with EMPTY_POLICY_FALLBACK_POOL, empty with all others
     */
    public static EmptyPolicy fromWire(io.quorumlb.proto.v1.EmptyPolicy policy, String fallbackPool) {
        boolean falls = policy == io.quorumlb.proto.v1.EmptyPolicy.EMPTY_POLICY_FALLBACK_POOL;
        if (falls == fallbackPool.isEmpty()) {
            throw new IllegalArgumentException(
                    falls
                            ? "listener.fallback_pool is empty: the name of a pool expected with EMPTY_POLICY_FALLBACK_POOL"
                            : "listener.fallback_pool '%s': empty expected with %s".formatted(fallbackPool, policy));
        }
        return switch (policy) {
            case EMPTY_POLICY_UNSPECIFIED, EMPTY_POLICY_DROP -> new EmptyPolicy.Drop();
            case EMPTY_POLICY_REJECT -> new EmptyPolicy.Reject();
            case EMPTY_POLICY_FAIL_OPEN -> new EmptyPolicy.FailOpen();
            case EMPTY_POLICY_FALLBACK_POOL -> new EmptyPolicy.FallbackPool(fallbackPool);
            case EMPTY_POLICY_WITHDRAW -> new EmptyPolicy.Withdraw();
            case UNRECOGNIZED ->
                throw WireField.unknownEnum("listener.when_empty", policy, "what is done with an empty pool");
        };
    }
}
