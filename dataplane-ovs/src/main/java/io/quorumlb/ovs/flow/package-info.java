/** Flows as values, the difference between two sets of flows, and what a switch held when it was read. Pure. */
@NullMarked
package io.quorumlb.ovs.flow;

import org.jspecify.annotations.NullMarked;
