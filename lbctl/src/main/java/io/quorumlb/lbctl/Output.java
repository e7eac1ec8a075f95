package io.quorumlb.lbctl;

import com.google.protobuf.Message;

/** Writes responses to standard output. */
sealed interface Output permits JsonOutput, TextOutput, YamlOutput {
    /**
     * Writes one response.
     *
     * @param view how people see it; other formats do not look at it
     */
    <R extends Message> void print(R response, View<? super R> view);
}
