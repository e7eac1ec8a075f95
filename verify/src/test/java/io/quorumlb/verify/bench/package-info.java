/** What {@code scripts/bench-dataplane} runs beside the switch: the product's own install, a frame sender, a latency probe. */
@NullMarked
package io.quorumlb.verify.bench;

import org.jspecify.annotations.NullMarked;
