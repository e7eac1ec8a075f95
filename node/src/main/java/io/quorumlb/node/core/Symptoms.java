package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Symptom.Kind;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads off a node's state what is wrong. */
final class Symptoms {
    /** What was put right longer ago is history. */
    static final Duration RECENT = Duration.ofHours(1);

    /** Who starts the switch sets them: with a thread for each core it takes the machine from everybody else. */
    private static final List<String> SETTINGS = List.of("n-handler-threads", "n-revalidator-threads");

    private static final String PROTOCOL = "OpenFlow15";
    private static final String DISABLE_IN_BAND = "disable-in-band";

    private final NodeState state;
    private final MonotonicTime now;
    private final List<Symptom> found = new ArrayList<>();

    private Symptoms(NodeState state, MonotonicTime now) {
        this.state = state;
        this.now = now;
    }

    static List<Symptom> of(NodeState state, MonotonicTime now) {
        var symptoms = new Symptoms(state, now);
        symptoms.flows();
        symptoms.setup();
        symptoms.rest();
        return Collections.unmodifiableList(symptoms.found);
    }

    private void add(Kind kind, String sentence) {
        found.add(new Symptom(kind, state.settings().self(), sentence));
    }

    private void flows() {
        SwitchReading reading = state.datapath().reading();
        if (reading.snapshot().isEmpty() && !reading.isUntried()) {
            add(Kind.SWITCH_UNREACHABLE, "the switch does not answer: " + reading.failure());
        }
        reading.snapshot()
                .map(SwitchSnapshot::foreign)
                .filter(flows -> !flows.isEmpty())
                .ifPresent(flows -> add(
                        Kind.FOREIGN_FLOWS,
                        "%d flows of others in the switch, first: %s"
                                .formatted(flows.size(), flows.getFirst().flow())));
        Repairs repairs = state.datapath().repairs();
        Duration ago = now.since(repairs.lastRepair());
        if (repairs.counts().total() > 0 && ago.compareTo(RECENT) <= 0) {
            add(
                    Kind.FLOWS_ALTERED,
                    "somebody changed our flows, the last time %d s ago: %s; put right since the controller's start:"
                                    .formatted(ago.toSeconds(), repairs.lastFound())
                            + " %d deleted, %d added, %d altered"
                                    .formatted(
                                            repairs.counts().deleted(),
                                            repairs.counts().added(),
                                            repairs.counts().altered()));
        }
        repairs.contested()
                .ifPresent(flow -> add(Kind.FLOWS_CONTESTED, "somebody keeps changing our flows, among them " + flow));
    }

    private void setup() {
        SwitchSetup setup = state.datapath().setup();
        if (!setup.failure().isEmpty()) {
            add(Kind.DATABASE_UNREACHABLE, "the switch's database cannot be read: " + setup.failure());
        }
        setup.problems().forEach(problem -> add(kind(problem), problem.sentence()));
        setup.database()
                .map(SwitchDatabase::settings)
                .ifPresent(settings -> SETTINGS.stream()
                        .filter(name -> !settings.containsKey(name))
                        .forEach(name -> add(
                                Kind.SWITCH_SETTING,
                                "other_config:%s is not set in Open vSwitch's database".formatted(name))));
        setup.database().flatMap(SwitchDatabase::bridge).ifPresent(this::bridge);
        Attachments.missing(
                        state.settings(),
                        state.cluster().model(),
                        state.network().view(),
                        state.datapath().snapshot())
                .forEach(sentence -> add(Kind.PORT_MISSING, sentence));
    }

    private void bridge(SwitchDatabase.Bridge bridge) {
        if (!bridge.protocols().contains(PROTOCOL)) {
            add(
                    Kind.OPENFLOW_VERSION,
                    "bridge %s: protocols is %s, must have %s: this node speaks no other version"
                            .formatted(
                                    bridge.name(),
                                    bridge.protocols().isEmpty() ? "not set" : String.join(",", bridge.protocols()),
                                    PROTOCOL));
        }
        String disabled = bridge.settings().getOrDefault(DISABLE_IN_BAND, "");
        if (!disabled.equals("true")) {
            add(
                    Kind.IN_BAND,
                    "bridge %s: other_config:%s is %s, must be true: the switch may add hidden flows of its own"
                            .formatted(bridge.name(), DISABLE_IN_BAND, disabled.isEmpty() ? "not set" : disabled));
        }
    }

    private static Kind kind(SwitchProblem problem) {
        return switch (problem.code()) {
            case "bridge-missing" -> Kind.BRIDGE_MISSING;
            case "fail-mode" -> Kind.FAIL_MODE;
            case "second-controller" -> Kind.SECOND_CONTROLLER;
            case "port-failed", "port-down" -> Kind.PORT_FAILED;
            default -> throw new IllegalStateException("a problem of the switch without a kind: " + problem);
        };
    }

    private void rest() {
        if (!state.announcement().problem().isEmpty()) {
            add(Kind.ANNOUNCER, state.announcement().problem());
        }
        if (!state.fingerprint().trouble().isEmpty()) {
            add(Kind.SLOT_FUNCTION, state.fingerprint().trouble());
        }
        Hearing.deafness(state, now).ifPresent(hearing -> add(Kind.DEAF_LEADER, "the leader " + hearing));
        state.service().blind().forEach(this::blind);
    }

    private void blind(NodeId node, BlindObserver blind) {
        found.add(new Symptom(Kind.BLIND, node, blind.text()));
    }
}
