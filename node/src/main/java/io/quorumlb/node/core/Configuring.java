package io.quorumlb.node.core;

import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.SwitchDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks at how the switch is configured: says once what is wrong and once that it is right again. Changes nothing. */
final class Configuring {
    private static final String SECURE = "secure";

    private Configuring() {}

    static void read(Turn turn, SwitchDatabase database) {
        SwitchSetup before = turn.datapath.setup();
        List<SwitchProblem> problems = problems(turn.settings, database);
        turn.datapath = turn.datapath.with(new SwitchSetup(Optional.of(database), "", problems));
        noticeVersion(turn, before.database(), database);
        for (SwitchProblem problem : problems) {
            if (!before.problems().contains(problem)) {
                turn.say(Severity.WARNING, problem.code(), "%s", problem.sentence());
                turn.news = true;
            }
        }
        for (SwitchProblem problem : before.problems()) {
            if (problems.stream().noneMatch(still -> still.code().equals(problem.code()))) {
                turn.say(Severity.INFO, problem.code(), "no longer: %s", problem.sentence());
                turn.news = true;
            }
        }
        if (!before.failure().isEmpty()) {
            turn.say(Severity.INFO, "database-read", "the switch's database can be read again");
            turn.news = true;
        }
    }

    private static void noticeVersion(Turn turn, Optional<SwitchDatabase> before, SwitchDatabase database) {
        String old = before.map(SwitchDatabase::version).orElse("");
        if (old.equals(database.version())) {
            return;
        }
        turn.say(
                Severity.INFO,
                "switch-version",
                "Open vSwitch version from=%s to=%s datapath=%s",
                old.isEmpty() ? "unknown" : old,
                database.version(),
                datapath(database));
        turn.news = true;
        if (!old.isEmpty()) {
            // Another program holds the flows now: nothing that was learnt of the old one is known of it.
            Installing.forget(turn);
        }
    }

    static void failed(Turn turn, String reason) {
        SwitchSetup before = turn.datapath.setup();
        if (!before.failure().equals(reason)) {
            turn.say(Severity.WARNING, "database-failed", "the switch's database cannot be read reason=\"%s\"", reason);
            turn.datapath = turn.datapath.with(new SwitchSetup(before.database(), reason, before.problems()));
            turn.news = true;
        }
    }

    /** Returns the type of the bridge's datapath, empty if the database has no such bridge. */
    static String datapath(SwitchDatabase database) {
        return database.bridge()
                .map(SwitchDatabase.Bridge::datapathType)
                .map(type -> type.isEmpty() ? "system" : type)
                .orElse("");
    }

    private static List<SwitchProblem> problems(NodeSettings settings, SwitchDatabase database) {
        if (database.bridge().isEmpty()) {
            return List.of(new SwitchProblem(
                    "bridge-missing",
                    "the switch's database does not have the bridge that this node is configured for"));
        }
        List<SwitchProblem> problems = new ArrayList<>();
        SwitchDatabase.Bridge bridge = database.bridge().get();
        if (!bridge.failMode().equals(SECURE)) {
            problems.add(new SwitchProblem(
                    "fail-mode",
                    ("bridge %s: fail_mode must be secure, is %s: without our flows it would forward like a hub. Setting it"
                                    + " empties the bridge once: while the node is out of traffic, ovs-vsctl set-fail-mode %s"
                                    + " secure")
                            .formatted(
                                    bridge.name(),
                                    bridge.failMode().isEmpty() ? "not set" : bridge.failMode(),
                                    bridge.name())));
        }
        if (!bridge.controllers().isEmpty()) {
            problems.add(new SwitchProblem(
                    "second-controller",
                    ("bridge %s is configured for the controller %s, which may change our flows. Taking it away empties the"
                                    + " bridge once: while the node is out of traffic, ovs-vsctl del-controller %s")
                            .formatted(bridge.name(), String.join(" ", bridge.controllers()), bridge.name())));
        }
        Stream.concat(Stream.of(settings.uplink()), settings.segments().values().stream())
                .flatMap(attachment -> Stream.of(attachment.port(), attachment.interfaceName()))
                .flatMap(name -> port(name, database).stream())
                .forEach(problems::add);
        return problems;
    }

    /** A port that is not there at all is told from the switch itself, which knows first. */
    private static Optional<SwitchProblem> port(String name, SwitchDatabase database) {
        SwitchDatabase.Port port = database.ports().get(name);
        if (port == null) {
            return Optional.empty();
        }
        if (!port.error().isEmpty()) {
            return Optional.of(new SwitchProblem(
                    "port-failed", "the switch could not make port %s: %s".formatted(name, port.error())));
        }
        return port.linkState().equals("down")
                ? Optional.of(new SwitchProblem("port-down", "the link of port %s is down".formatted(name)))
                : Optional.empty();
    }
}
