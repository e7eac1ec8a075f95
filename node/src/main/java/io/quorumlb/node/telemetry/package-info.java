/** Meters. */
@NullMarked
package io.quorumlb.node.telemetry;

import org.jspecify.annotations.NullMarked;
