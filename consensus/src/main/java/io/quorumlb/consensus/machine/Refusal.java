package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.machine.Outcome.Refused;

/** Refusals in the forms that all edits share. */
final class Refusal {
    private Refusal() {}

    static Refused invalid(String field, String message) {
        return new Refused(Cause.INVALID, field, message);
    }

    static Refused limit(String field, String message) {
        return new Refused(Cause.LIMIT, field, message);
    }

    static Refused notFound(String field, String what) {
        return new Refused(Cause.NOT_FOUND, field, what + " does not exist");
    }

    static Refused exists(String field, String what) {
        return new Refused(Cause.ALREADY_EXISTS, field, what + " exists already");
    }

    static Refused inUse(String what, String user) {
        return new Refused(Cause.IN_USE, "name", "%s is used by %s: remove that first".formatted(what, user));
    }

    static Refused idsUsedUp(String kind) {
        return invalid(kind + ".id", "all %s ids have been given".formatted(kind));
    }
}
