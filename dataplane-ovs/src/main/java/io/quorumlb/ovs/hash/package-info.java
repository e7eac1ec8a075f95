/** The packet hashes of Open vSwitch, computed here, and the corpus that proves two switches to be alike. Pure. */
@NullMarked
package io.quorumlb.ovs.hash;

import org.jspecify.annotations.NullMarked;
