/** Verdicts from observations, and the next generation from verdicts. Pure. */
@NullMarked
package io.quorumlb.consensus.plan;

import org.jspecify.annotations.NullMarked;
