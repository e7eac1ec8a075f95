package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.ObjectMeta;
import java.util.Map;
import java.util.TreeMap;

/** Converts what every configured object has. From the wire, errors are IllegalArgumentException that names the field. */
final class MetaCodec {
    private MetaCodec() {}

    /**
     * Returns labels and revision of an object.
     *
     * @param object path of the object's fields, for example {@code pool}
     */
    static ObjectMeta fromWire(String object, Map<String, String> labels, long revision) {
        return new ObjectMeta(labels(object + ".labels", labels), WireField.number(object + ".revision", revision));
    }

    /** Returns the labels of a field. */
    static Labels labels(String field, Map<String, String> labels) {
        if (labels.isEmpty()) {
            return Labels.NONE;
        }
        try {
            return new Labels(new TreeMap<>(labels));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(field, e.getMessage()), e);
        }
    }
}
