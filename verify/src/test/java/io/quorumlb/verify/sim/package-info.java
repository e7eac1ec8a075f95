/**
 * Whole clusters in one process: the real core of each node on virtual time, with a seeded network, log, switch, members
 * and operators. Invariants are checked after every event.
 */
@NullMarked
package io.quorumlb.verify.sim;

import org.jspecify.annotations.NullMarked;
