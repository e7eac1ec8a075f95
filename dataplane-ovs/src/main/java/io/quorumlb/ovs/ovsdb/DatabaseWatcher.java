package io.quorumlb.ovs.ovsdb;

import io.quorumlb.ovs.flow.SwitchDatabase;
import java.util.function.Consumer;

/**
 * Who hears what a switch's database says. Both must return at once.
 *
 * @param read what it says now; called when that has changed and after each connect
 * @param failed why it cannot be read; called for each attempt that fails
 */
public record DatabaseWatcher(Consumer<SwitchDatabase> read, Consumer<String> failed) {}
