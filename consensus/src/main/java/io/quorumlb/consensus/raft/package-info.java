/** The replicated log on Apache Ratis. */
@NullMarked
package io.quorumlb.consensus.raft;

import org.jspecify.annotations.NullMarked;
