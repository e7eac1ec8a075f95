/** The control socket of ovs-vswitchd: JSON-RPC 1.0 calls such as {@code revalidator/wait}. */
@NullMarked
package io.quorumlb.ovs.unixctl;

import org.jspecify.annotations.NullMarked;
