/** The node's latest state, handed from the loop to those who answer questions. */
@NullMarked
package io.quorumlb.node.state;

import org.jspecify.annotations.NullMarked;
