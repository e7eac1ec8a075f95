/** The port to the switch and its Open vSwitch form: read back, install a difference, prove it is active. */
@NullMarked
package io.quorumlb.ovs.install;

import org.jspecify.annotations.NullMarked;
