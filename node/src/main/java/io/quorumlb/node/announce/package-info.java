/** Announcing VIPs to the routers. */
@NullMarked
package io.quorumlb.node.announce;

import org.jspecify.annotations.NullMarked;
