package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.model.Guard;

/**
 * Why a pool's table is not what health and configuration ask for.
 *
 * @param code reason code: that of a {@link Guard}, {@link #INTERVAL} or {@link #PANIC}
 * @param detail for people: what is held and what ends it
 */
public record Hold(String code, String detail) {
    /** The last generation is too young; ends by itself within the pool's interval. */
    public static final String INTERVAL = "generation-interval";

    /** Not a hold of a change but of members: so little is healthy that all enabled members take traffic. */
    public static final String PANIC = "panic";

    static Hold of(Guard guard, String detail) {
        return new Hold(guard.code(), detail);
    }

    /** Returns true if it ends by itself within seconds, so that nobody needs to hear of it. */
    public boolean passing() {
        return code.equals(INTERVAL) || code.equals(Guard.SETTLING.code()) || code.equals(Guard.DISPUTED.code());
    }
}
