package io.quorumlb.node.json;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.StringValue;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import com.google.rpc.Code;
import com.google.rpc.ErrorDetailsProto;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Messages as proto3 JSON, default values too. */
final class JsonText {
    private static final JsonFormat.Printer PRINTER = JsonFormat.printer()
            .alwaysPrintFieldsWithNoPresence()
            .sortingMapKeys()
            .usingTypeRegistry(TypeRegistry.newBuilder()
                    .add(ErrorDetailsProto.getDescriptor().getMessageTypes())
                    .build());

    /** A backslash and what it escapes; the group is one of the characters that JSON need not escape. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(0027|003c|003d|003e|0026)|.)");

    private static final int HEX = 16;

    private JsonText() {}

    /** Returns the JSON of a message that holds no Any, and the end of its line. */
    static String of(Message message) {
        return printed(message) + "\n";
    }

    /** Returns what is answered instead: {@code {"error": {"code": ..., "status": ..., "message": ..., "details": [...]}}}. */
    static String of(Problem problem) {
        Code code = Code.forNumber(problem.status().getCode());
        return "{\"error\": {\"code\": %d, \"status\": \"%s\", \"message\": %s, \"details\": [%s]}}\n"
                .formatted(
                        problem.httpStatus(),
                        code == null ? Code.UNKNOWN : code,
                        printed(StringValue.of(problem.status().getMessage())),
                        problem.status().getDetailsList().stream()
                                .map(JsonText::detail)
                                .collect(Collectors.joining(", ")));
    }

    /** A detail of a type that nobody here knows is named only. */
    private static String detail(Any detail) {
        try {
            return readable(PRINTER.print(detail));
        } catch (InvalidProtocolBufferException _) {
            return "{\"@type\": %s}".formatted(printed(StringValue.of(detail.getTypeUrl())));
        }
    }

    /** Writes quotes and the like as they are: protobuf's printer escapes what would matter inside HTML. */
    private static String readable(String json) {
        Matcher escape = ESCAPE.matcher(json);
        return escape.replaceAll(found -> {
            String code = found.group(1);
            return Matcher.quoteReplacement(
                    code == null ? found.group() : Character.toString(Integer.parseInt(code, HEX)));
        });
    }

    private static String printed(MessageOrBuilder message) {
        try {
            return readable(PRINTER.print(message));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("only Any can fail to print, and this has none", e);
        }
    }
}
