package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.MaglevSimulation;
import io.quorumlb.proto.v1.SimulatedFailure;
import io.quorumlb.proto.v1.SimulatedMember;
import io.quorumlb.proto.v1.SimulatedTable;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A simulation: shares, statistics, what failures move, and a picture of the slots.
 *
 * @param picture which table is drawn
 */
record SimulationView(Picture picture) implements View<MaglevSimulation> {
    private static final int ROWS_MAX = 100;

    /** Which table is drawn. */
    enum Picture {
        VERSION_1,
        VERSION_2,
        NONE;

        /** Reads {@code 1}, {@code 2} or {@code none}. */
        static Picture parse(String text) {
            return switch (text) {
                case "1", "v1" -> VERSION_1;
                case "2", "v2" -> VERSION_2;
                case "none" -> NONE;
                default ->
                    throw new CommandFailure(ExitCode.USAGE, "--picture: '%s' is none of [1, 2, none]".formatted(text));
            };
        }

        private boolean shows(HashAlgorithm algorithm) {
            return switch (this) {
                case VERSION_1 -> algorithm == HashAlgorithm.HASH_ALGORITHM_V1;
                case VERSION_2 -> algorithm == HashAlgorithm.HASH_ALGORITHM_V2;
                case NONE -> false;
            };
        }
    }

    @Override
    public void show(MaglevSimulation simulation, Page page) {
        page.line("pool %d, M %d, %d members"
                .formatted(simulation.getPoolId(), simulation.getSlots(), simulation.getMembersCount()));
        for (SimulatedTable table : simulation.getTablesList()) {
            page.line("version %s: digest %s, generation digest %s"
                    .formatted(
                            version(table),
                            StatusView.digest(table.getDigest()),
                            StatusView.digest(table.getGenerationDigest())));
            if (!table.getRefusal().isEmpty()) {
                page.line(new Cell(
                        "version %s would be refused: %s".formatted(version(table), table.getRefusal()),
                        Cell.Tone.BAD));
            }
        }
        page.gap().table(shares(simulation));
        left(page, simulation.getMembersCount());
        page.gap().table(statistics(simulation));
        page.gap().line("if one member fails:").table(failures(simulation));
        left(page, simulation.getTables(0).getFailuresCount());
        page.gap().line("if two members fail, one after the other:").table(pairs(simulation));
        drawn(simulation, page);
    }

    private static void left(Page page, int rows) {
        if (rows > ROWS_MAX) {
            page.line("... and %d more: -o json shows all".formatted(rows - ROWS_MAX));
        }
    }

    private static String version(SimulatedTable table) {
        return switch (table.getAlgorithm()) {
            case HASH_ALGORITHM_V1 -> "1";
            case HASH_ALGORITHM_V2 -> "2";
            case HASH_ALGORITHM_UNSPECIFIED, UNRECOGNIZED -> String.valueOf(table.getAlgorithmValue());
        };
    }

    private static Table shares(MaglevSimulation simulation) {
        Table rows = new Table("MEMBER", ">WEIGHT", ">EFFECTIVE", ">EXACT", ">V1", ">V2", "CELL");
        for (int i = 0; i < Math.min(ROWS_MAX, simulation.getMembersCount()); i++) {
            SimulatedMember member = simulation.getMembers(i);
            rows.row(
                    Cell.of(member.getAddress()),
                    Cell.of(member.getWeight()),
                    Cell.of(member.getEffectiveWeight()),
                    decimals(2, member.getExactShare()),
                    Cell.of(simulation.getTables(0).getMemberSlots(i)),
                    Cell.of(simulation.getTables(1).getMemberSlots(i)),
                    Cell.of(SlotPicture.letter(i)));
        }
        return rows;
    }

    private static Cell decimals(int digits, double number) {
        return Cell.of(String.format(Locale.ROOT, "%." + digits + "f", number));
    }

    private static Table statistics(MaglevSimulation simulation) {
        Table rows = new Table("SLOTS PER MEMBER", ">V1", ">V2");
        statistic(rows, simulation, "average", 2, SimulatedTable::getAverage);
        statistic(rows, simulation, "standard deviation", 2, SimulatedTable::getStandardDeviation);
        statistic(rows, simulation, "coefficient of variation", 4, SimulatedTable::getCoefficientOfVariation);
        statistic(rows, simulation, "greatest / exact share", 4, SimulatedTable::getOverprovision);
        statistic(rows, simulation, "most above exact share", 2, SimulatedTable::getSurplus);
        statistic(rows, simulation, "most below exact share", 2, SimulatedTable::getShortfall);
        return rows;
    }

    private static void statistic(
            Table rows, MaglevSimulation simulation, String name, int digits, Function<SimulatedTable, Double> value) {
        rows.row(
                Cell.of(name),
                decimals(digits, value.apply(simulation.getTables(0))),
                decimals(digits, value.apply(simulation.getTables(1))));
    }

    private static Table failures(MaglevSimulation simulation) {
        Table rows = new Table(
                "FAILS", ">V1 MOVED", ">V1 OF OTHERS", "USUAL", ">V2 MOVED", ">V2 OF OTHERS", "USUAL", ">V2 MAX/EXACT");
        List<SimulatedFailure> ones = simulation.getTables(0).getFailuresList();
        List<SimulatedFailure> twos = simulation.getTables(1).getFailuresList();
        for (int i = 0; i < Math.min(ROWS_MAX, ones.size()); i++) {
            rows.row(
                    Cell.of(ones.get(i).getMembers(0)),
                    Cell.of(ones.get(i).getMoved()),
                    others(ones.get(i)),
                    usual(ones.get(i)),
                    Cell.of(twos.get(i).getMoved()),
                    others(twos.get(i)),
                    usual(twos.get(i)),
                    decimals(4, twos.get(i).getOverprovision()));
        }
        return rows;
    }

    private static Cell others(SimulatedFailure failure) {
        Cell.Tone tone = failure.getCollateral() == 0
                ? Cell.Tone.GOOD
                : failure.getCollateral() > failure.getUsualHigh() ? Cell.Tone.BAD : Cell.Tone.PLAIN;
        return Cell.of(failure.getCollateral()).toned(tone);
    }

    private static Cell usual(SimulatedFailure failure) {
        return Cell.of("%d..%d".formatted(failure.getUsualLow(), failure.getUsualHigh()));
    }

    private static Table pairs(MaglevSimulation simulation) {
        Table rows = new Table("VERSION", "WORST PAIR", ">MOVED", ">OF OTHERS", ">MAX/EXACT", "TRIED");
        for (SimulatedTable table : simulation.getTablesList()) {
            SimulatedFailure worst = table.getWorstPair();
            rows.row(
                    Cell.of(version(table)),
                    Cell.of(String.join(", ", worst.getMembersList())),
                    Cell.of(worst.getMoved()),
                    Cell.of(worst.getCollateral()),
                    decimals(4, worst.getOverprovision()),
                    Cell.of("%d of %d".formatted(table.getPairsTried(), table.getPairs())));
        }
        return rows;
    }

    private void drawn(MaglevSimulation simulation, Page page) {
        simulation.getTablesList().stream()
                .filter(table -> picture.shows(table.getAlgorithm()))
                .forEach(table -> {
                    int step = SlotPicture.step(table.getOwnersCount());
                    page.gap()
                            .line("slots of version %s%s:"
                                    .formatted(
                                            version(table), step == 1 ? "" : ", one of %d in a row".formatted(step)));
                    SlotPicture.draw(table.getOwnersCount(), slot -> table.getOwners(slot) - 1, page);
                });
    }
}
