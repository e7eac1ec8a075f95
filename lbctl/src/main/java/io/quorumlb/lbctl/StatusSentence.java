package io.quorumlb.lbctl;

import io.grpc.Status;

/** Says a gRPC status in one sentence: what, and what to do next. */
final class StatusSentence {
    private StatusSentence() {}

    /** Returns the failure that a node's refusal ends the command with. */
    static CommandFailure failure(Status status) {
        String what = description(status);
        return switch (status.getCode()) {
            case INVALID_ARGUMENT, OUT_OF_RANGE -> no(what, "correct the value and try again");
            case NOT_FOUND -> no(what, "list what there is and check the name");
            case ALREADY_EXISTS -> no(what, "choose another name, or delete the existing one first");
            case FAILED_PRECONDITION -> no(what, "remove the obstacle and try again");
            case ABORTED, RESOURCE_EXHAUSTED -> no(what, "try again in a moment");
            case PERMISSION_DENIED -> no(what, "or ask somebody who may");
            case UNAUTHENTICATED -> no(what, "'lbctl config set-context' keeps them for later");
            case UNIMPLEMENTED -> no("the node does not know this call", "use the lbctl of its version");
            case UNKNOWN -> unknown(what, "it may still be committed: look before you repeat it");
            case DEADLINE_EXCEEDED -> unknown(what, "look before you repeat it, and allow more with --timeout");
            default -> unknown("the node failed: " + what, "see its log, or ask another node with --endpoints");
        };
    }

    /** Returns the node's own words, or the name of the code if it gave none. */
    static String description(Status status) {
        String description = status.getDescription();
        return description == null || description.isBlank()
                ? status.getCode().name()
                : description.lines().findFirst().orElseThrow().strip();
    }

    private static CommandFailure no(String what, String next) {
        return new CommandFailure(ExitCode.NO, "refused: %s; %s".formatted(what, next));
    }

    private static CommandFailure unknown(String what, String next) {
        return new CommandFailure(ExitCode.UNKNOWN, "%s; %s".formatted(what, next));
    }
}
