/** Conversions between the model and its wire formats, both ways, one class per concern. */
@NullMarked
package io.quorumlb.consensus.wire;

import org.jspecify.annotations.NullMarked;
