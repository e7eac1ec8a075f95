package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.ObjectKind;
import java.util.List;

/**
 * What becomes of one object.
 *
 * @param kind what it is
 * @param name that tells it from others of its kind; of a member with its pool's: {@code web/be1}
 * @param verb what is done with it
 * @param details what changes, for people, for example {@code weight 100 -> 50}; none unless it is set
 * @param edits how it is done
 */
public record SiteChange(ObjectKind kind, String name, Verb verb, List<String> details, List<Command.Edit> edits) {
    /** What is done with an object. */
    public enum Verb {
        CREATE,
        SET,
        DELETE
    }

    /** Copies the lists. */
    public SiteChange {
        details = List.copyOf(details);
        edits = List.copyOf(edits);
    }

    static SiteChange create(ObjectKind kind, String name, Command.Edit edit) {
        return new SiteChange(kind, name, Verb.CREATE, List.of(), List.of(edit));
    }

    static SiteChange delete(ObjectKind kind, String name, Command.Edit edit) {
        return new SiteChange(kind, name, Verb.DELETE, List.of(), List.of(edit));
    }
}
