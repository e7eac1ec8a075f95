/** What tests need to run the real Open vSwitch beside them. */
@NullMarked
package io.quorumlb.ovs.testbed;

import org.jspecify.annotations.NullMarked;
