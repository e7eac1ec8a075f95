package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;

/**
 * What an HTTP server answered.
 *
 * @param status of HTTP, 200..599
 * @param type media type of the body, empty if it was not said
 * @param body the body
 */
record HttpReply(int status, String type, ByteString body) {
    /** The binary form of protobuf. */
    static final String PROTOBUF = "application/x-protobuf";

    /** Returns true if the answer is in the form that only a node's JSON port uses. */
    boolean fromNode() {
        return type.equals(PROTOBUF);
    }
}
