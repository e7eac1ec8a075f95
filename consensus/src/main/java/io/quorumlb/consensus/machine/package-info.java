/** The replicated state and how a command changes it. Pure. */
@NullMarked
package io.quorumlb.consensus.machine;

import org.jspecify.annotations.NullMarked;
