/** Probes of members over HTTP, TCP and UDP, from the node's own address in their segment. */
@NullMarked
package io.quorumlb.node.probe;

import org.jspecify.annotations.NullMarked;
