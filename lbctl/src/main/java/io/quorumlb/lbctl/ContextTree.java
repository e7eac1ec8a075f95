package io.quorumlb.lbctl;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;

/** Contexts as data for programs. */
final class ContextTree {
    private ContextTree() {}

    /** Returns a context's settings by key. */
    static Struct of(ConnectionSettings settings) {
        Struct.Builder fields = Struct.newBuilder();
        settings.values().forEach((key, value) -> fields.putFields(key, text(value)));
        return fields.build();
    }

    /** Returns the current context's name, and all contexts. */
    static Struct of(Contexts contexts) {
        Struct.Builder all = Struct.newBuilder();
        contexts.byName()
                .forEach((name, settings) -> all.putFields(
                        name, Value.newBuilder().setStructValue(of(settings)).build()));
        return Struct.newBuilder()
                .putFields("current", text(contexts.current().orElse("")))
                .putFields("contexts", Value.newBuilder().setStructValue(all).build())
                .build();
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }
}
