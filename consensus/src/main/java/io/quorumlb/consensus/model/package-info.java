/** What operators configure: segments, pools, members, listeners. Pure. */
@NullMarked
package io.quorumlb.consensus.model;

import org.jspecify.annotations.NullMarked;
