/** Configuration and wiring of the node's process. */
@NullMarked
package io.quorumlb.node.main;

import org.jspecify.annotations.NullMarked;
