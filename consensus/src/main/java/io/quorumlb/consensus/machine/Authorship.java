package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PlainText;

/**
 * Who asked for a write, and by which call.
 *
 * @param caller who asked, from where
 * @param method name of the call, at most {@value #METHOD_MAX} characters; a longer one is cut
 * @param object what it was about, at most {@value #OBJECT_MAX} characters; a longer one is cut
 * @param node the node that was asked
 */
public record Authorship(Caller caller, String method, String object, NodeId node) {
    private static final int METHOD_MAX = 64;
    private static final int OBJECT_MAX = 200;

    /** Bounds the texts. */
    public Authorship {
        method = PlainText.of(method, METHOD_MAX);
        object = PlainText.of(object, OBJECT_MAX);
    }
}
