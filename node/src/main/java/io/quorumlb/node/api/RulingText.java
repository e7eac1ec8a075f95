package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Pool;
import io.quorumlb.proto.v1.Ruling;

/** Says what decides about a member: for programs and for people. */
final class RulingText {
    private RulingText() {}

    static Ruling toWire(io.quorumlb.consensus.plan.Ruling ruling) {
        return switch (ruling) {
            case GONE -> Ruling.RULING_GONE;
            case DRAINED -> Ruling.RULING_DRAINED;
            case WEIGHT_ZERO -> Ruling.RULING_WEIGHT_ZERO;
            case CEILING_ZERO -> Ruling.RULING_CEILING_ZERO;
            case MAJORITY_UP -> Ruling.RULING_MAJORITY_UP;
            case MAJORITY_DOWN -> Ruling.RULING_MAJORITY_DOWN;
            case NO_MAJORITY -> Ruling.RULING_NO_MAJORITY;
            case SETTLING -> Ruling.RULING_SETTLING;
            case DISPUTED -> Ruling.RULING_DISPUTED;
            case MASS_FAILURE -> Ruling.RULING_MASS_FAILURE;
            case FLAPPING -> Ruling.RULING_FLAPPING;
            case PANIC -> Ruling.RULING_PANIC;
            case HELD_DOWN -> Ruling.RULING_HELD_DOWN;
            case HELD_UP -> Ruling.RULING_HELD_UP;
        };
    }

    /** Returns a sentence. */
    static String of(io.quorumlb.consensus.plan.Ruling ruling, Pool pool) {
        return switch (ruling) {
            case GONE -> "it was deleted";
            case DRAINED -> "an operator has drained it: it takes no traffic until it is enabled";
            case WEIGHT_ZERO -> "its weight is 0: it takes no traffic";
            case CEILING_ZERO -> "its ceiling is 0: it takes no traffic until the ceiling is raised";
            case MAJORITY_UP -> "a majority of all nodes sees it up: it takes traffic";
            case MAJORITY_DOWN -> "a majority of all nodes sees it down: it takes no traffic";
            case NO_MAJORITY -> "neither up nor down has a majority of all nodes: it stays as it was committed";
            case SETTLING -> "the leader is new and does not hear a majority yet: it stays as it was committed";
            case DISPUTED ->
                "a majority sees it down and another node sees it up: it stays as it was committed, for a moment";
            case MASS_FAILURE ->
                "more than %d %% of the pool would be down and not every fresh node agrees: it stays as it was committed"
                        .formatted(pool.guards().massFailure());
            case FLAPPING ->
                "it is up and has changed too often: it stays out until its penalty is below %d"
                        .formatted(pool.guards().flapping().reuse());
            case PANIC ->
                "less than %d %% of the pool is healthy: all enabled members take traffic, this one too"
                        .formatted(pool.guards().panic());
            case HELD_DOWN -> "an operator holds it down: it takes no traffic, whatever the nodes see";
            case HELD_UP -> "an operator holds it up: it takes traffic, whatever the nodes see";
        };
    }
}
