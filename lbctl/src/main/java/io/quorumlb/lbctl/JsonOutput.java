package io.quorumlb.lbctl;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;

/** Writes the proto3 JSON of a response, default values too. */
record JsonOutput(Console console) implements Output {
    @Override
    public <R extends Message> void print(R response, View<? super R> view) {
        console.out().println(json(response));
    }

    /** Returns the JSON of a response without Any. */
    static String json(Message response) {
        try {
            return JsonFormat.printer()
                    .alwaysPrintFieldsWithNoPresence()
                    .sortingMapKeys()
                    .print(response);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("only Any can fail to print, and no response has one", e);
        }
    }
}
