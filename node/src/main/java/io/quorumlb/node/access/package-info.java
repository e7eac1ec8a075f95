/** Who calls, what a call takes, and what became of calls that were refused; certificates and tokens on files. */
@NullMarked
package io.quorumlb.node.access;

import org.jspecify.annotations.NullMarked;
