package io.quorumlb.node.json;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads proto3 JSON. Protobuf's own reader forgives what is not JSON and whatever follows it, and builds a tree many
 * times the size of the text: so the text is read by a strict parser first, which builds nothing and counts.
 */
final class StrictJson {
    static final int DEPTH_MAX = 64;
    static final int TOKENS_MAX = 500_000;

    private static final JsonFactory STRICT = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxTokenCount(TOKENS_MAX)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final JsonFormat.Parser PARSER = JsonFormat.parser();

    private StrictJson() {}

    /**
     * Merges JSON into an empty message.
     *
     * @param body text in UTF-8
     * @throws Problem if it is not one JSON value, or not of this message; says where
     */
    static void merge(byte[] body, Message.Builder into) throws Problem {
        String name = into.getDescriptorForType().getName();
        String text = text(body);
        check(text);
        try {
            PARSER.merge(text, into);
        } catch (InvalidProtocolBufferException e) {
            throw Problem.unreadable(
                    "the body is not a %s: %s".formatted(name, Problem.excerpt(String.valueOf(e.getMessage()))));
        }
    }

    /** A limit that is passed has no place. */
    private static String place(JacksonException e) {
        return Optional.ofNullable(e.getLocation())
                .map(at -> ", line %d, column %d".formatted(at.getLineNr(), at.getColumnNr()))
                .orElse("");
    }

    private static String text(byte[] body) throws Problem {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException _) {
            throw Problem.unreadable("the body is not text in UTF-8");
        }
    }

    private static void check(String text) throws Problem {
        int values = 0;
        try (JsonParser parser = STRICT.createParser(ObjectReadContext.empty(), text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (parser.streamReadContext().inRoot()) {
                    values++;
                }
            }
        } catch (JacksonException e) {
            throw Problem.unreadable("the body is not JSON%s: %s"
                    .formatted(place(e), Problem.excerpt(String.valueOf(e.getOriginalMessage()))));
        }
        if (values != 1) {
            throw Problem.unreadable("the body must be one JSON value, it has %d".formatted(values));
        }
    }
}
