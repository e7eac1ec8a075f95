package io.quorumlb.node.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What one HTTP request is answered with. */
public final class Answer {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final int status;
    private final SortedMap<String, String> headers;
    private final byte[] body;

    private Answer(int status, SortedMap<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * Returns an answer.
     *
     * @param status HTTP status, 200..599
     * @param type media type of the body
     * @param body copied
     */
    public static Answer of(int status, String type, byte[] body) {
        SortedMap<String, String> headers = new TreeMap<>();
        headers.put("Content-Type", type);
        return new Answer(status, headers, body.clone());
    }

    /** Returns an answer of text. */
    static Answer text(int status, String type, String text) {
        return of(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns an answer of one line for people. */
    static Answer line(int status, String line) {
        return text(status, TEXT, line + "\n");
    }

    /** Returns the same answer with one more header. */
    public Answer with(String name, String value) {
        SortedMap<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Answer(status, more, body);
    }

    int status() {
        return status;
    }

    SortedMap<String, String> headers() {
        return Collections.unmodifiableSortedMap(headers);
    }

    int length() {
        return body.length;
    }

    /** Hands the body to who sends it. */
    void writeTo(OutputStream out) throws IOException {
        out.write(body);
    }
}
