package io.quorumlb.consensus.model;

/** What a caller may do; each role may do what the ones before it may. */
public enum Role {
    /** Reads. */
    VIEWER(1, "viewer"),
    /** Changes what is there. */
    OPERATOR(2, "operator"),
    /** Deletes what serves clients, and changes the whole cluster at once. */
    ADMIN(3, "admin");

    private final int level;
    private final String word;

    Role(int level, String word) {
        this.level = level;
        this.word = word;
    }

    /** Returns true if this role may do what takes the needed one. */
    public boolean covers(Role needed) {
        return level >= needed.level;
    }

    /** Returns the role's name in certificates, token files and messages. */
    public String word() {
        return word;
    }
}
