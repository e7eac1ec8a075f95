/** OpenFlow 1.5 over a unix socket: messages, their bytes, the connection, bundles and read-back. */
@NullMarked
package io.quorumlb.ovs.openflow;

import org.jspecify.annotations.NullMarked;
