package io.quorumlb.ovs.openflow;

import io.netty.handler.codec.DecoderException;
import java.io.Serial;

/** Bytes that are no OpenFlow 1.5 message. The connection they came by is of no use any more. */
final class MalformedMessageException extends DecoderException {
    @Serial
    private static final long serialVersionUID = 1L;

    MalformedMessageException(String message) {
        super(message);
    }

    MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
