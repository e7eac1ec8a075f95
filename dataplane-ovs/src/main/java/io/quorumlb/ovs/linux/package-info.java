/** System calls through the foreign function interface: the kernel's neighbour table. */
@NullMarked
package io.quorumlb.ovs.linux;

import org.jspecify.annotations.NullMarked;
