package io.quorumlb.consensus.model;

/** Kinds of configured objects. */
public enum ObjectKind {
    SEGMENT("segments"),
    POOL("pools"),
    MEMBER("members"),
    LISTENER("listeners"),
    LOAD_BALANCER("load_balancers");

    private final String plural;

    ObjectKind(String plural) {
        this.plural = plural;
    }

    /** Returns how lists of such objects are named. */
    public String plural() {
        return plural;
    }
}
