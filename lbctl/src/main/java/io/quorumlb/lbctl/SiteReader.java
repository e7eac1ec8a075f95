package io.quorumlb.lbctl;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.quorumlb.proto.v1.Site;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a site from YAML: the proto3 JSON of the message in that notation, field names as JSON or the proto file has them.
 * It follows the events of the parser along the message, so what is nested deeper than the message is refused where it
 * begins. Anchors, aliases and tags have no meaning in JSON and are refused.
 */
final class SiteReader {
    private final String name;
    private final Iterator<Event> events;
    private int line = 1;

    private SiteReader(String name, String text) {
        this.name = name;
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setCodePointLimit(Math.max(1, text.length()))
                .build();
        this.events = new Parse(settings).parseString(text).iterator();
    }

    /**
     * Returns the site of a text; that of several documents has the objects of all.
     *
     * @param name of the text, for errors
     * @throws CommandFailure naming text, line and what was expected
     */
    static Site read(String name, String text) {
        var reader = new SiteReader(name, text);
        try {
            return reader.documents();
        } catch (MarkedYamlEngineException e) {
            reader.line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(reader.line);
            throw reader.failure("", String.valueOf(e.getProblem()));
        } catch (YamlEngineException e) {
            throw reader.failure("", String.valueOf(e.getMessage()));
        }
    }

    private Site documents() {
        Site.Builder site = Site.newBuilder();
        while (events.hasNext()) {
            Event event = next();
            if (event.getEventId() == Event.ID.DocumentStart) {
                document(site);
            }
        }
        return site.build();
    }

    private void document(Site.Builder site) {
        Event event = node("");
        switch (event.getEventId()) {
            case MappingStart -> fields(site, "");
            case Scalar -> {
                if (!isNull((ScalarEvent) event)) {
                    throw failure(
                            "",
                            "'%s' is no site: segments, pools, members and listeners expected"
                                    .formatted(((ScalarEvent) event).getValue()));
                }
            }
            default -> throw failure("", "a list is no site: segments, pools, members and listeners expected");
        }
    }

    private void fields(Message.Builder message, String path) {
        SortedSet<Integer> seen = new TreeSet<>();
        for (Event event = node(path); event.getEventId() != Event.ID.MappingEnd; event = node(path)) {
            if (!(event instanceof ScalarEvent key)) {
                throw failure(path, "the name of a field expected");
            }
            FieldDescriptor field = field(message, path, key.getValue());
            String inside = path.isEmpty() ? field.getJsonName() : path + "." + field.getJsonName();
            if (!seen.add(field.getNumber())) {
                throw failure(inside, "is there twice, once expected");
            }
            value(message, field, inside);
        }
    }

    private FieldDescriptor field(Message.Builder message, String path, String word) {
        List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
        Optional<FieldDescriptor> known = fields.stream()
                .filter(field ->
                        field.getJsonName().equals(word) || field.getName().equals(word))
                .findFirst();
        return known.orElseThrow(() -> {
            List<String> names =
                    fields.stream().map(FieldDescriptor::getJsonName).toList();
            return failure(
                    path,
                    "field '%s' is not known, %s"
                            .formatted(
                                    word,
                                    Nearest.of(word, names)
                                            .map("did you mean '%s'?"::formatted)
                                            .orElse("there are: " + String.join(", ", names))));
        });
    }

    private void value(Message.Builder message, FieldDescriptor field, String path) {
        Event event = node(path);
        if (event instanceof ScalarEvent scalar && isNull(scalar)) {
            return;
        }
        if (field.isMapField()) {
            entries(message, field, path, event);
            return;
        }
        if (!field.isRepeated()) {
            message.setField(field, single(message, field, path, event));
            return;
        }
        if (event.getEventId() != Event.ID.SequenceStart) {
            throw failure(path, "a list expected");
        }
        int index = 0;
        for (Event entry = node(path); entry.getEventId() != Event.ID.SequenceEnd; entry = node(path)) {
            message.addRepeatedField(field, single(message, field, path + "[" + index + "]", entry));
            index++;
        }
    }

    /** Reads a map of texts to texts; of its entries the key is field 1 and the value field 2. */
    private void entries(Message.Builder message, FieldDescriptor field, String path, Event event) {
        if (event.getEventId() != Event.ID.MappingStart) {
            throw failure(path, "keys and values expected, as in 'site: a'");
        }
        SortedSet<String> seen = new TreeSet<>();
        for (Event entry = node(path); entry.getEventId() != Event.ID.MappingEnd; entry = node(path)) {
            if (!(entry instanceof ScalarEvent key)) {
                throw failure(path, "a key expected");
            }
            String inside = path + "." + key.getValue();
            if (!seen.add(key.getValue())) {
                throw failure(inside, "is there twice, once expected");
            }
            if (!(node(inside) instanceof ScalarEvent value)) {
                throw failure(inside, "a single value expected");
            }
            message.addRepeatedField(
                    field,
                    message.newBuilderForField(field)
                            .setField(field.getMessageType().findFieldByNumber(1), key.getValue())
                            .setField(field.getMessageType().findFieldByNumber(2), value.getValue())
                            .build());
        }
    }

    private Object single(Message.Builder message, FieldDescriptor field, String path, Event event) {
        if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            if (event.getEventId() != Event.ID.MappingStart) {
                throw failure(path, "fields expected, as in 'name: web'");
            }
            Message.Builder part = message.newBuilderForField(field);
            fields(part, path);
            return part.build();
        }
        if (!(event instanceof ScalarEvent scalar)) {
            throw failure(path, "a single value expected");
        }
        try {
            return ScalarText.parse(field, scalar.getValue());
        } catch (IllegalArgumentException e) {
            throw failure(path, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isNull(ScalarEvent scalar) {
        return scalar.isPlain() && List.of("", "~", "null").contains(scalar.getValue());
    }

    /** Returns the next event; one that begins a value has neither anchor nor tag. */
    private Event node(String path) {
        Event event = next();
        if (event.getEventId() == Event.ID.Alias
                || (event instanceof NodeEvent node && node.getAnchor().isPresent())) {
            throw failure(path, "anchors and aliases are not known here: write the value itself");
        }
        if (event instanceof ScalarEvent scalar && scalar.getTag().isPresent()) {
            throw failure(
                    path, "tag %s is not known here".formatted(scalar.getTag().get()));
        }
        return event;
    }

    private Event next() {
        Event event = events.next();
        line = event.getStartMark().map(mark -> mark.getLine() + 1).orElse(line);
        return event;
    }

    private CommandFailure failure(String path, String what) {
        return new CommandFailure(
                ExitCode.USAGE, "%s:%d: %s%s".formatted(name, line, path.isEmpty() ? "" : path + ": ", what));
    }
}
