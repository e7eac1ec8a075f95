package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Writes a message as YAML, as {@link SiteReader} reads it; what has its default is left out. */
final class SiteWriter {
    private static final int WIDTH = 120;

    private SiteWriter() {}

    /** Returns the text, one line for each value. */
    static String write(Message message) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setIndent(2)
                .setWidth(WIDTH)
                .setSplitLines(false)
                .setSchema(new CoreSchema())
                .build();
        return new Dump(settings).dumpToString(fields(message));
    }

    private static Map<String, Object> fields(Message message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        message.getAllFields()
                .forEach((field, value) ->
                        fields.put(field.getJsonName(), field.isMapField() ? entries((List<?>) value) : value(value)));
        return fields;
    }

    /** Returns a map of texts to texts, by key. */
    private static Map<String, Object> entries(List<?> entries) {
        Map<String, Object> map = new TreeMap<>();
        entries.forEach(entry -> {
            if (entry instanceof MapEntry<?, ?> one) {
                map.put(one.getKey().toString(), value(one.getValue()));
            }
        });
        return map;
    }

    private static Object value(Object value) {
        return switch (value) {
            case List<?> values -> values.stream().map(SiteWriter::value).toList();
            case Message part -> fields(part);
            case EnumValueDescriptor word -> word.getName();
            case ByteString bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray());
            case Integer number -> Integer.toUnsignedLong(number);
            default -> value;
        };
    }
}
