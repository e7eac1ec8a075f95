/** The real site: three nodes, real switches, real packets. Each test leaves it as it found it. */
@NullMarked
package io.quorumlb.verify.cluster;

import org.jspecify.annotations.NullMarked;
