package io.quorumlb.lbctl;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.quorumlb.proto.v1.Site;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes the JSON Schema of a site file, from the descriptors of the messages: for editors. It knows the names of fields
 * that JSON has; {@link SiteReader} knows those of the proto file as well.
 */
final class SiteSchema {
    private static final long UINT32_MAX = 0xffff_ffffL;

    /** By name of the message, so that the text is the same whenever it is written. */
    private final Map<String, String> definitions = new TreeMap<>();

    private SiteSchema() {}

    /** Returns the schema as JSON text. */
    static String write() {
        var schema = new SiteSchema();
        String site = schema.body(Site.getDescriptor(), "  ");
        String definitions = schema.definitions.entrySet().stream()
                .map(entry -> "    \"%s\": %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(",\n"));
        return """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "title": "Site of quorumlb",
                %s,
                  "$defs": {
                %s
                  }
                }
                """.formatted(site, definitions);
    }

    /** Returns what stands between the braces of an object's schema. */
    private String body(Descriptor message, String indent) {
        String fields = message.getFields().stream()
                .map(field -> "%s  \"%s\": %s".formatted(indent, field.getJsonName(), type(field)))
                .collect(Collectors.joining(",\n"));
        return "%s\"type\": \"object\",\n%s\"additionalProperties\": false,\n%s\"properties\": {\n%s\n%s}"
                .formatted(indent, indent, indent, fields, indent);
    }

    private String type(FieldDescriptor field) {
        if (field.isMapField()) {
            return "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}";
        }
        return field.isRepeated() ? "{\"type\": \"array\", \"items\": %s}".formatted(single(field)) : single(field);
    }

    private String single(FieldDescriptor field) {
        return switch (field.getType()) {
            case STRING -> "{\"type\": \"string\"}";
            case UINT32 -> "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": %d}".formatted(UINT32_MAX);
            case UINT64 -> "{\"type\": [\"integer\", \"string\"], \"minimum\": 0}";
            case BOOL -> "{\"type\": \"boolean\"}";
            case BYTES -> "{\"type\": \"string\", \"contentEncoding\": \"base64\"}";
            case ENUM -> "{\"enum\": [%s]}".formatted(words(field.getEnumType().getValues()));
            case MESSAGE -> reference(field.getMessageType());
            default -> throw new IllegalStateException("no site has a field of type " + field.getType());
        };
    }

    private static String words(List<EnumValueDescriptor> values) {
        return values.stream().map(value -> "\"" + value.getName() + "\"").collect(Collectors.joining(", "));
    }

    private String reference(Descriptor message) {
        if (!definitions.containsKey(message.getName())) {
            // Known before it is written: a message may refer to itself.
            definitions.put(message.getName(), "");
            definitions.put(message.getName(), "{\n%s\n    }".formatted(body(message, "      ")));
        }
        return "{\"$ref\": \"#/$defs/%s\"}".formatted(message.getName());
    }
}
