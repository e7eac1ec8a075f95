/** Flows as values: fields, matches, actions, instructions and the difference between two sets of flows. Pure. */
@NullMarked
package io.quorumlb.ovs.flow;

import org.jspecify.annotations.NullMarked;
