package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;

/**
 * Something wrong, as a node's own state shows it.
 *
 * @param kind what it is
 * @param node which node it is about, most often this one
 * @param sentence what was found, for people
 */
public record Symptom(Kind kind, NodeId node, String sentence) {
    /** What can be wrong. */
    public enum Kind {
        /** The switch cannot be reached or read. */
        SWITCH_UNREACHABLE,
        /** The switch's database cannot be read. */
        DATABASE_UNREACHABLE,
        /** The switch has no bridge of the configured name. */
        BRIDGE_MISSING,
        /** The bridge does not speak the version of OpenFlow that the node speaks. */
        OPENFLOW_VERSION,
        /** The bridge would forward without our flows. */
        FAIL_MODE,
        /** The bridge is told to connect to a controller. */
        SECOND_CONTROLLER,
        /** The switch could not make a port, or its link is down. */
        PORT_FAILED,
        /** A port or an interface is not there. */
        PORT_MISSING,
        /** What who starts the switch sets in its database is not set. */
        SWITCH_SETTING,
        /** The switch may add hidden flows of its own. */
        IN_BAND,
        /** The announcer could not do what it was asked for. */
        ANNOUNCER,
        /** Flows of others are in the switch. */
        FOREIGN_FLOWS,
        /** Somebody changed our flows lately. */
        FLOWS_ALTERED,
        /** Somebody keeps changing our flows. */
        FLOWS_CONTESTED,
        /** The switch's hashes are not what the cluster has agreed upon. */
        SLOT_FUNCTION,
        /** The node sees nobody of a pool that a majority sees. */
        BLIND,
        /** The leader does not hear a majority. */
        DEAF_LEADER
    }
}
