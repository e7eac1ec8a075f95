package io.quorumlb.lbctl;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.maglev.TableRefusedException;
import io.quorumlb.proto.v1.MaglevSimulation;
import io.quorumlb.proto.v1.SimulatedMember;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what the tables of a pool would look like and what failures would move, without a cluster. */
@Command(
        description = {
            "Show the slot tables that members would get, and what moves when they fail. Asks no cluster.",
            "",
            "Both versions of the hash algorithm are shown side by side, to choose version and number of slots."
        })
final class MaglevSimulate implements Callable<Integer> {
    private static final int PAIRS_MAX = 2000;

    private final Session session;

    @Parameters(
            arity = "0..*",
            paramLabel = "MEMBER",
            description = "ADDRESS:PORT[=WEIGHT[/EFFECTIVE]], for example 10.20.0.2:8080=3 or [2001:db8::1]:80=3/0."
                    + " Default weight: 1; an effective weight below it is that of a member that is out or ramps.")
    private List<String> members = new ArrayList<>();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Members too, a line for each: ADDRESS:PORT [WEIGHT [EFFECTIVE]], comments behind #.")
    private Optional<Path> file = Optional.empty();

    @Option(
            names = "--members",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "That many members of weight 1 with made-up addresses, beside those given.")
    private int generated = 0;

    @Option(
            names = "--slots",
            paramLabel = "M",
            converter = CountConverter.class,
            description = "Number of slots, a power of two in 256..65536. Default: 1024.")
    private int slots = 1024;

    @Option(
            names = "--pool-id",
            paramLabel = "ID",
            converter = CountConverter.class,
            description = "Id of the pool, 1..65535: another id spreads otherwise. Default: 1.")
    private int poolId = 1;

    @Option(
            names = "--picture",
            paramLabel = "N",
            description = "Version whose slots are drawn: 1, 2 or none. Default: 2.")
    private String picture = "2";

    /** Creates the command for one session. */
    MaglevSimulate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        SimulatedMembers given = new SimulatedMembers();
        file.ifPresent(given::addFile);
        members.forEach(given::add);
        given.generate(generated);
        if (given.list().isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "no members: give some, --file or --members N");
        }
        MaglevSimulation simulation = simulate(given.list());
        session.print(simulation, new SimulationView(SimulationView.Picture.parse(picture)));
        boolean possible = simulation.getTablesList().stream()
                .anyMatch(table -> table.getRefusal().isEmpty());
        return (possible ? ExitCode.YES : ExitCode.NO).status();
    }

    private MaglevSimulation simulate(List<TableMember> given) {
        var simulation = MaglevSimulation.newBuilder().setPoolId(poolId).setSlots(slots);
        Progress progress = session.progress("tables with failures built");
        double weights = given.stream().mapToLong(TableMember::effectiveWeight).sum();
        List<Simulation> simulations = new ArrayList<>();
        for (HashAlgoVersion version : HashAlgoVersion.values()) {
            PoolDefinition definition = definition(version, given);
            if (version == HashAlgoVersion.V1) {
                definition.members().stream()
                        .map(member -> SimulatedMember.newBuilder()
                                .setAddress(member.key().toString())
                                .setWeight(member.weight())
                                .setEffectiveWeight(member.effectiveWeight())
                                .setExactShare(weights == 0 ? 0 : slots * member.effectiveWeight() / weights)
                                .build())
                        .forEach(simulation::addMembers);
            }
            simulations.add(new Simulation(definition, PAIRS_MAX, progress));
        }
        // Side by side: with many members and slots thousands of tables are built.
        simulation.addAllTables(
                simulations.parallelStream().map(Simulation::run).toList());
        return simulation.build();
    }

    private PoolDefinition definition(HashAlgoVersion version, List<TableMember> given) {
        try {
            return PoolDefinition.of(version, poolId, slots, given);
        } catch (TableRefusedException e) {
            throw new CommandFailure(ExitCode.USAGE, e.refusal().message());
        }
    }
}
