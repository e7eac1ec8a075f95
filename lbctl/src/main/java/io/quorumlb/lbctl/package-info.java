/** The command line client: one class per command, one per output format. */
@NullMarked
package io.quorumlb.lbctl;

import org.jspecify.annotations.NullMarked;
