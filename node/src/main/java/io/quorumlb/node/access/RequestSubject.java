package io.quorumlb.node.access;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads from any request what it is about, for records: names only, nothing else of its content. */
final class RequestSubject {
    private static final List<String> NAMES = List.of("pool", "member", "listener", "segment", "name");
    private static final String OPTIONS = "options";

    private RequestSubject() {}

    /** Returns the names of what the request is about, for example web/be1; empty if it names nothing. */
    static String of(Message request) {
        List<String> names = names(request);
        if (names.isEmpty()) {
            for (FieldDescriptor field : request.getDescriptorForType().getFields()) {
                if (isMessage(field) && !field.getName().equals(OPTIONS) && request.hasField(field)) {
                    names.addAll(names((Message) request.getField(field)));
                }
            }
        }
        return String.join("/", names);
    }

    private static boolean isMessage(FieldDescriptor field) {
        return field.getJavaType() == JavaType.MESSAGE && !field.isRepeated();
    }

    private static List<String> names(Message message) {
        List<String> names = new ArrayList<>();
        for (String name : NAMES) {
            FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
            // The segment of a member is where it is, not what it is called.
            boolean place = name.equals("segment") && !names.isEmpty();
            if (field != null && field.getJavaType() == JavaType.STRING && !field.isRepeated() && !place) {
                String value = (String) message.getField(field);
                if (!value.isEmpty()) {
                    names.add(value);
                }
            }
        }
        return names;
    }

    /** Returns what a write says of itself; empty if the request is of a call that writes nothing. */
    static Optional<WriteOptions> options(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName(OPTIONS);
        return field != null && isMessage(field) && request.getField(field) instanceof WriteOptions options
                ? Optional.of(options)
                : Optional.empty();
    }
}
