/** What a node wants its switch to hold: tables, registers, cookies, and the flows for a generation. Pure. */
@NullMarked
package io.quorumlb.ovs.pipeline;

import org.jspecify.annotations.NullMarked;
