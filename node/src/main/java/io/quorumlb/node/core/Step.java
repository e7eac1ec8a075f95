package io.quorumlb.node.core;

import java.util.List;

/**
 * The result of one step.
 *
 * @param state after it
 * @param effects to perform, in order
 */
public record Step(NodeState state, List<NodeEffect> effects) {
    /** Copies the list. */
    public Step {
        effects = List.copyOf(effects);
    }
}
