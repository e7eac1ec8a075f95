package io.quorumlb.ovs.unixctl;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * A daemon's answer to one call. It is flat: a number and two texts. What is nested is refused as it is read, because a
 * tree of small parts takes many times the memory of its text.
 *
 * @param id number of the call; 0 if it says none
 * @param error why the call was refused, empty if it was not
 * @param result what the call gave, empty if it was refused
 */
record Reply(int id, Optional<String> error, String result) {
    /**
     * Reads an answer.
     *
     * @throws IOException if it is not of that form
     */
    static Reply parse(InputStream in) throws IOException {
        int id = 0;
        Optional<String> error = Optional.empty();
        String result = "";
        try (JsonParser json = JsonMapper.shared().createParser(in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("an answer must be an object");
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value == null || !value.isScalarValue()) {
                    throw new IOException("'%s' of an answer must be a number or a text".formatted(shown(name)));
                }
                switch (name) {
                    case "id" -> id = json.getValueAsInt(0);
                    case "error" ->
                        error = value == JsonToken.VALUE_NULL
                                ? Optional.empty()
                                : Optional.of(json.getValueAsString(""));
                    case "result" -> result = json.getValueAsString("");
                    default -> {
                        // Nothing that a call needs.
                    }
                }
            }
            if (json.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("an answer must end with its object");
            }
            return new Reply(id, error, result);
        } catch (JacksonException malformed) {
            throw new IOException(malformed.getOriginalMessage(), malformed);
        }
    }

    private static String shown(String name) {
        return name.length() <= 60 ? name : name.substring(0, 60) + "...";
    }
}
