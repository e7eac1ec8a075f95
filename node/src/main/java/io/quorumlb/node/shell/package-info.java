/** Runs the core: one loop that owns the state, and the performers of its effects. */
@NullMarked
package io.quorumlb.node.shell;

import org.jspecify.annotations.NullMarked;
