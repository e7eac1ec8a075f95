package io.quorumlb.node.doctor;

import io.quorumlb.node.core.Symptom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;

/** Says what is wrong with a node, from what was read. */
final class LocalJudge {
    static final long USABLE_MIN = 256L << 20;
    static final int USABLE_PERCENT_MIN = 10;
    /** Whoever renews certificates by hand needs some days. */
    static final Duration CERTIFICATE_SOON = Duration.ofDays(14);
    /** A step longer ago is history. */
    static final Duration RECENT = Duration.ofHours(1);

    private final String node;
    private final List<Judgement> found = new ArrayList<>();

    private LocalJudge(String node) {
        this.node = node;
    }

    /** Returns what is wrong around the node. */
    static List<Judgement> of(String node, Surroundings surroundings) {
        var judge = new LocalJudge(node);
        surroundings.offloads().forEach(judge::offload);
        judge.guards(surroundings);
        surroundings.forwarding().forEach(judge::forwarding);
        judge.space(surroundings.space());
        surroundings.bird().ifPresent(trouble -> judge.add(FindingCode.BIRD_DOWN, trouble));
        if (surroundings.differences() instanceof Read.Known<List<String>>(var differences)) {
            // A switch that cannot be asked is told by the node's own state.
            differences.forEach(sentence -> judge.add(FindingCode.DATAPLANE_DIFFERS, sentence));
        }
        surroundings.certificateEnd().ifPresent(end -> judge.certificate(end, surroundings.now()));
        surroundings
                .step()
                .filter(step ->
                        Duration.between(step.seen(), surroundings.now()).compareTo(RECENT) <= 0)
                .ifPresent(judge::step);
        return Collections.unmodifiableList(judge.found);
    }

    /** Returns what is wrong by the node's own state. */
    static List<Judgement> of(List<Symptom> symptoms) {
        return symptoms.stream()
                .map(symptom -> new Judgement(symptom.node().value(), code(symptom.kind()), symptom.sentence()))
                .toList();
    }

    private static FindingCode code(Symptom.Kind kind) {
        return switch (kind) {
            case SWITCH_UNREACHABLE -> FindingCode.SWITCH_UNREACHABLE;
            case DATABASE_UNREACHABLE -> FindingCode.DATABASE_UNREACHABLE;
            case BRIDGE_MISSING -> FindingCode.BRIDGE_MISSING;
            case OPENFLOW_VERSION -> FindingCode.OPENFLOW_VERSION;
            case IN_BAND -> FindingCode.IN_BAND;
            case FAIL_MODE -> FindingCode.FAIL_MODE;
            case SECOND_CONTROLLER -> FindingCode.SECOND_CONTROLLER;
            case PORT_FAILED -> FindingCode.PORT_FAILED;
            case PORT_MISSING -> FindingCode.PORT_MISSING;
            case SWITCH_SETTING -> FindingCode.SWITCH_SETTING;
            case ANNOUNCER -> FindingCode.ANNOUNCER;
            case FOREIGN_FLOWS -> FindingCode.FOREIGN_FLOWS;
            case FLOWS_ALTERED -> FindingCode.FLOWS_ALTERED;
            case FLOWS_CONTESTED -> FindingCode.FLOWS_CONTESTED;
            case SLOT_FUNCTION -> FindingCode.SLOT_FUNCTION;
            case BLIND -> FindingCode.BLIND_NODE;
            case DEAF_LEADER -> FindingCode.DEAF_LEADER;
        };
    }

    private void add(FindingCode code, String problem) {
        found.add(new Judgement(node, code, problem));
    }

    private void unknown(String what, String reason) {
        add(FindingCode.NOT_EXAMINED, "%s is not known: %s".formatted(what, reason));
    }

    private void offload(String name, Read<Boolean> offloaded) {
        switch (offloaded) {
            case Read.Known<Boolean>(var on) -> {
                if (on) {
                    add(FindingCode.OFFLOAD_ON, "TX checksum offload of interface %s is on".formatted(name));
                }
            }
            case Read.Unknown<Boolean>(String reason) ->
                unknown("whether TX checksum offload of interface %s is on".formatted(name), reason);
        }
    }

    private void guards(Surroundings surroundings) {
        switch (surroundings.guarded()) {
            case Read.Known<SortedSet<String>>(var guarded) ->
                surroundings.ports().stream()
                        .filter(port -> !guarded.contains(port))
                        .forEach(port -> add(
                                FindingCode.GUARD_MISSING,
                                "no nftables chain of policy drop is at the ingress hook of port %s".formatted(port)));
            case Read.Unknown<SortedSet<String>>(String reason) ->
                unknown("whether the ingress guard is loaded", reason);
        }
    }

    private void forwarding(String name, Read<String> setting) {
        switch (setting) {
            case Read.Known<String>(String value) -> {
                if (!value.equals("0")) {
                    add(FindingCode.IP_FORWARD_ON, "%s is %s, must be 0".formatted(name, value));
                }
            }
            case Read.Unknown<String>(String reason) -> unknown(name, reason);
        }
    }

    private void space(Read<Surroundings.Space> space) {
        switch (space) {
            case Read.Known<Surroundings.Space>(var room) -> {
                if (nearlyFull(room)) {
                    add(
                            FindingCode.DISK_NEARLY_FULL,
                            "the file system of %s has %d MiB of %d MiB usable, at least %d %% and %d MiB must be"
                                    .formatted(
                                            room.directory(),
                                            room.usable() >> 20,
                                            room.total() >> 20,
                                            USABLE_PERCENT_MIN,
                                            USABLE_MIN >> 20));
                }
            }
            case Read.Unknown<Surroundings.Space>(String reason) -> unknown("the room for the data directory", reason);
        }
    }

    private static boolean nearlyFull(Surroundings.Space room) {
        return room.usable() < USABLE_MIN || room.usable() < room.total() / 100 * USABLE_PERCENT_MIN;
    }

    private void certificate(Instant end, Instant now) {
        if (!end.isAfter(now)) {
            add(FindingCode.CERTIFICATE_ENDED, "the certificate that clients see has ended at %s".formatted(end));
        } else if (end.isBefore(now.plus(CERTIFICATE_SOON))) {
            add(
                    FindingCode.CERTIFICATE_ENDS,
                    "the certificate that clients see ends at %s, in %d days"
                            .formatted(end, Duration.between(now, end).toDays()));
        }
    }

    private void step(Surroundings.Step step) {
        add(
                FindingCode.CLOCK_STEP,
                String.format(
                        Locale.ROOT,
                        "the wall clock was moved %s by %.1f s, seen at %s",
                        step.by().isNegative() ? "back" : "forward",
                        step.by().abs().toMillis() / 1000.0,
                        step.seen()));
    }
}
