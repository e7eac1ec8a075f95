/** The port to the replicated log. */
@NullMarked
package io.quorumlb.consensus.log;

import org.jspecify.annotations.NullMarked;
