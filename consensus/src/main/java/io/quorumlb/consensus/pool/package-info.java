/** What nodes observe and what the cluster commits about a pool. Pure. */
@NullMarked
package io.quorumlb.consensus.pool;

import org.jspecify.annotations.NullMarked;
