package io.quorumlb.consensus.pool;

/** Why a generation was made, for programs. */
public enum GenerationCause {
    /** Not said: an entry of an older version. */
    UNKNOWN,
    /** The configuration changed. */
    CONFIGURATION,
    /** The health of members changed. */
    HEALTH,
    /** Both changed. */
    MIXED,
    /** So little is healthy that all enabled members take traffic. */
    PANIC,
    /** It passed a guard because an operator said so. */
    OVERRIDE
}
