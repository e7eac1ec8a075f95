/** Where addresses are: questions to the network, its answers, and what the kernel knows. */
@NullMarked
package io.quorumlb.ovs.neighbour;

import org.jspecify.annotations.NullMarked;
