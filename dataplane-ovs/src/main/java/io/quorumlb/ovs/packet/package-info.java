/** Frames of address resolution as values: ARP and neighbour discovery, to bytes and back. Pure. */
@NullMarked
package io.quorumlb.ovs.packet;

import org.jspecify.annotations.NullMarked;
