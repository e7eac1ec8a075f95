package io.quorumlb.node.json;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.quorumlb.node.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/** How requests and answers are written. */
enum BodyFormat {
    /** Proto3 JSON. */
    JSON("application/json") {
        @Override
        void read(byte[] body, Message.Builder into) throws Problem {
            StrictJson.merge(body, into);
        }

        @Override
        byte[] bytes(Message message) {
            return JsonText.of(message).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        byte[] bytes(Problem problem) {
            return JsonText.of(problem).getBytes(StandardCharsets.UTF_8);
        }
    },
    /** The binary form of protobuf; a refusal is a {@code google.rpc.Status}. */
    PROTOBUF("application/x-protobuf") {
        @Override
        void read(byte[] body, Message.Builder into) throws Problem {
            try {
                into.mergeFrom(body);
            } catch (InvalidProtocolBufferException e) {
                throw Problem.unreadable("the body is not a %s: %s"
                        .formatted(
                                into.getDescriptorForType().getName(),
                                Problem.excerpt(String.valueOf(e.getMessage()))));
            }
        }

        @Override
        byte[] bytes(Message message) {
            return message.toByteArray();
        }

        @Override
        byte[] bytes(Problem problem) {
            return problem.status().toByteArray();
        }
    };

    private static final int BUSY = HttpStatus.of(Code.RESOURCE_EXHAUSTED);
    private static final int UNAVAILABLE = HttpStatus.of(Code.UNAVAILABLE);

    private final String mediaType;

    BodyFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Returns the format that a client which sends this type understands: JSON unless it sends protobuf. */
    static BodyFormat ofAnswer(Optional<String> contentType) {
        return PROTOBUF.isNamed(contentType) ? PROTOBUF : JSON;
    }

    /**
     * Merges the body into an empty message.
     *
     * @throws Problem if the body is not in this format or not of this message
     */
    abstract void read(byte[] body, Message.Builder into) throws Problem;

    abstract byte[] bytes(Message message);

    abstract byte[] bytes(Problem problem);

    /**
     * Checks that the client has said what it sends. A form of a web page cannot say so: no page makes its reader's
     * browser write here.
     *
     * @throws Problem if it has not
     */
    void check(Optional<String> contentType) throws Problem {
        if (!isNamed(contentType)) {
            throw Problem.of(
                            Code.INVALID_ARGUMENT,
                            "CONTENT_TYPE",
                            "Content-Type '%s' is none of '%s', '%s'; with curl use --json"
                                    .formatted(
                                            Problem.excerpt(contentType.orElse("")),
                                            JSON.mediaType,
                                            PROTOBUF.mediaType))
                    .status(HttpStatus.UNSUPPORTED_MEDIA_TYPE);
        }
    }

    private boolean isNamed(Optional<String> contentType) {
        return contentType
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .filter(mediaType::equals)
                .isPresent();
    }

    /** Returns the answer of a call that went well. */
    Answer answer(Message message) {
        return Answer.of(HttpStatus.OK, mediaType, bytes(message));
    }

    /** Returns the answer of a call that was refused or failed. */
    Answer refusal(Problem problem) {
        Answer answer = Answer.of(problem.httpStatus(), mediaType, bytes(problem));
        if (problem.httpStatus() == HttpStatus.METHOD_NOT_ALLOWED) {
            return answer.with("Allow", "POST");
        }
        boolean later = problem.httpStatus() == BUSY || problem.httpStatus() == UNAVAILABLE;
        return later ? answer.with("Retry-After", "1") : answer;
    }
}
