/** What nodes say of themselves, to wire messages and back. */
@NullMarked
package io.quorumlb.node.wire;

import org.jspecify.annotations.NullMarked;
