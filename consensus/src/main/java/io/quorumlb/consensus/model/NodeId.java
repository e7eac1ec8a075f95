package io.quorumlb.consensus.model;

/**
 * Names an LB node for its whole life.
 *
 * @param value as {@link ObjectName} has it
 */
public record NodeId(String value) implements Comparable<NodeId> {
    /** Checks the form. */
    public NodeId {
        ObjectName.require("node id", value);
    }

    @Override
    public int compareTo(NodeId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
