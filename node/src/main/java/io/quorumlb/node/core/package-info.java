/** Every decision of a node: events in, new state and effects out. Pure. */
@NullMarked
package io.quorumlb.node.core;

import org.jspecify.annotations.NullMarked;
