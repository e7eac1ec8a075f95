package io.quorumlb.lbctl;

import io.quorumlb.maglev.Balance;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableBuilder;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.maglev.TableRefusal;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.SimulatedFailure;
import io.quorumlb.proto.v1.SimulatedTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds a pool's table under one version, and those after failures of one and of two members. */
final class Simulation {
    private final PoolDefinition definition;
    private final TableBuilder builder = new TableBuilder();
    private final SlotTable table;
    private final int pairsMax;
    private final Progress progress;

    /**
     * Builds the table.
     *
     * @param pairsMax how many pairs of failures are tried at most
     * @param progress hears of each failure that was tried
     */
    Simulation(PoolDefinition definition, int pairsMax, Progress progress) {
        this.definition = definition;
        this.table = builder.build(definition);
        this.pairsMax = pairsMax;
        this.progress = progress;
    }

    /** Tries the failures and returns everything as a message. */
    SimulatedTable run() {
        Balance balance = Balance.of(table);
        Map<Integer, Integer> indexById = new TreeMap<>();
        definition.members().forEach(member -> indexById.put(member.id(), indexById.size()));
        var slots = table.slotsByMember();
        var result = SimulatedTable.newBuilder()
                .setAlgorithm(
                        switch (definition.version()) {
                            case V1 -> HashAlgorithm.HASH_ALGORITHM_V1;
                            case V2 -> HashAlgorithm.HASH_ALGORITHM_V2;
                        })
                .setDigest(table.digest().hex())
                .setGenerationDigest(definition.digest().hex())
                .setRefusal(definition.refusal().map(TableRefusal::message).orElse(""))
                .setAverage(balance.average())
                .setStandardDeviation(balance.deviation())
                .setCoefficientOfVariation(balance.variation())
                .setOverprovision(balance.overprovision())
                .setSurplus(balance.surplus())
                .setShortfall(balance.shortfall());
        definition.members().forEach(member -> result.addMemberSlots(slots.getOrDefault(member.id(), 0)));
        for (int slot = 0; slot < table.slots(); slot++) {
            result.addOwners(indexById.getOrDefault(table.owner(slot), -1) + 1);
        }
        List<Integer> taking = taking();
        progress.expect(taking.size());
        taking.forEach(member -> result.addFailures(failure(member)));
        pairs(taking, result);
        return result.build();
    }

    private List<Integer> taking() {
        List<Integer> taking = new ArrayList<>();
        for (int i = 0; i < definition.members().size(); i++) {
            if (definition.members().get(i).effectiveWeight() > 0) {
                taking.add(i);
            }
        }
        return taking;
    }

    private SlotTable without(int... failed) {
        List<TableMember> members = new ArrayList<>(definition.members());
        for (int member : failed) {
            members.set(member, members.get(member).withEffective(0));
        }
        return builder.build(
                new PoolDefinition(definition.version(), definition.poolId(), definition.slots(), members));
    }

    private String address(int member) {
        return definition.members().get(member).key().toString();
    }

    private SimulatedFailure failure(int member) {
        SlotTable after = without(member);
        progress.advance();
        Movement movement = Movement.between(table, after);
        return SimulatedFailure.newBuilder()
                .addMembers(address(member))
                .setMoved(movement.moved())
                .setCollateral(movement.collateral())
                .setUsualLow(movement.usual().low())
                .setUsualHigh(movement.usual().high())
                .setOverprovision(Balance.of(after).overprovision())
                .build();
    }

    /** Tries all pairs in both orders; evenly spread ones if there are too many. */
    private void pairs(List<Integer> taking, SimulatedTable.Builder result) {
        long all = (long) taking.size() * (taking.size() - 1);
        long step = Math.max(1, (all + pairsMax - 1) / pairsMax);
        progress.expect((all + step - 1) / step);
        List<SimulatedFailure> tried = new ArrayList<>();
        SlotTable afterFirst = table;
        int lastFirst = -1;
        for (long pair = 0; pair < all; pair += step) {
            int first = (int) (pair / (taking.size() - 1));
            int second = (int) (pair % (taking.size() - 1));
            second += second >= first ? 1 : 0;
            if (first != lastFirst) {
                afterFirst = without(taking.get(first));
                lastFirst = first;
            }
            tried.add(pair(taking.get(first), afterFirst, taking.get(second)));
        }
        tried.stream()
                .max(Comparator.comparingInt(SimulatedFailure::getCollateral)
                        .thenComparingInt(SimulatedFailure::getMoved))
                .ifPresent(result::setWorstPair);
        result.setPairs(all).setPairsTried(tried.size());
    }

    private SimulatedFailure pair(int first, SlotTable afterFirst, int second) {
        SlotTable after = without(first, second);
        progress.advance();
        Movement one = Movement.between(table, afterFirst);
        Movement two = Movement.between(afterFirst, after);
        return SimulatedFailure.newBuilder()
                .addMembers(address(first))
                .addMembers(address(second))
                .setMoved(one.moved() + two.moved())
                .setCollateral(one.collateral() + two.collateral())
                .setOverprovision(Balance.of(after).overprovision())
                .build();
    }
}
