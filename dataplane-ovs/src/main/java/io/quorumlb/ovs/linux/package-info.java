/** System calls through the foreign function interface: the kernel's neighbour table, and frames to and from an interface. */
@NullMarked
package io.quorumlb.ovs.linux;

import org.jspecify.annotations.NullMarked;
