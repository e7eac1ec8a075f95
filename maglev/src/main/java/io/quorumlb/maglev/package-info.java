/** Maglev slot tables: which slot belongs to which member. Pure; a function of its arguments only. */
@NullMarked
package io.quorumlb.maglev;

import org.jspecify.annotations.NullMarked;
