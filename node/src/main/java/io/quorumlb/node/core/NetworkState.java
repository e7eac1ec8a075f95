package io.quorumlb.node.core;

import java.util.Optional;

/**
 * The kernel's side as last read.
 *
 * @param view what was read; empty before the first time
 * @param nextRead when to read again
 */
record NetworkState(Optional<NetworkView> view, MonotonicTime nextRead) {}
