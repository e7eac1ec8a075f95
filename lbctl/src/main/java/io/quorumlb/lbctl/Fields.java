package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One object, all its fields, one a line under the names that the proto file gives them; what is not set is a dash. */
final class Fields {
    private final Table table = new Table("FIELD", "VALUE");

    /** Adds all fields of a message. */
    Fields add(Message message) {
        add("", message);
        return this;
    }

    /** Adds a line. */
    Fields add(String field, Cell value) {
        table.row(Cell.of(field), value);
        return this;
    }

    /** Writes the fields on the page. */
    void show(Page page) {
        page.table(table);
    }

    private void add(String path, Message message) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            String name = path + field.getName();
            if (field.isMapField()) {
                add(name, Cell.of(ObjectTable.text(labels((List<?>) message.getField(field)))));
            } else if (field.isRepeated()) {
                repeated(name, field, (List<?>) message.getField(field));
            } else if (field.hasPresence() && !message.hasField(field)) {
                add(name, Cell.of(""));
            } else if (message.getField(field) instanceof Message part) {
                add(name + ".", part);
            } else {
                boolean unset = !field.hasPresence() && message.getField(field).equals(field.getDefaultValue());
                add(name, Cell.of(unset ? "" : text(message.getField(field))));
            }
        }
    }

    private static Map<String, String> labels(List<?> entries) {
        Map<String, String> labels = new TreeMap<>();
        entries.forEach(entry -> {
            if (entry instanceof MapEntry<?, ?> label) {
                labels.put(label.getKey().toString(), label.getValue().toString());
            }
        });
        return labels;
    }

    private void repeated(String name, FieldDescriptor field, List<?> values) {
        if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE || values.isEmpty()) {
            add(name, Cell.of(values.stream().map(Fields::text).collect(Collectors.joining(", "))));
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            add("%s[%d].".formatted(name, i), (Message) values.get(i));
        }
    }

    private static String text(Object value) {
        return switch (value) {
            case EnumValueDescriptor word -> EnumWord.lower(word.getType(), word.getNumber());
            case ByteString bytes -> "hex " + HexFormat.of().formatHex(bytes.toByteArray());
            case Integer number -> Integer.toUnsignedString(number);
            case Long number -> Long.toUnsignedString(number);
            default -> value.toString();
        };
    }
}
