/** The switch's database (RFC 7047): how the bridge and its ports are configured, watched, never changed. */
@NullMarked
package io.quorumlb.ovs.ovsdb;

import org.jspecify.annotations.NullMarked;
