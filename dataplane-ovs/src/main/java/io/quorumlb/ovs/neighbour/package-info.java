/** Which MAC address the kernel knows for which IPv4 address of a segment. */
@NullMarked
package io.quorumlb.ovs.neighbour;

import org.jspecify.annotations.NullMarked;
