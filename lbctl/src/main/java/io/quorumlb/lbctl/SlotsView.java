package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.MemberShare;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A slot table: who has how many slots, and a picture with one letter for each slot.
 *
 * @param pool name of the pool
 */
record SlotsView(String pool) implements View<GetPoolSlotsResponse> {
    @Override
    public void show(GetPoolSlotsResponse slots, Page page) {
        if (slots.getGeneration() == 0) {
            page.line("pool %s has no generation yet".formatted(pool));
            return;
        }
        page.line("pool %s, generation %d, algorithm %s, M %d, digest %s%s"
                .formatted(
                        pool,
                        slots.getGeneration(),
                        EnumWord.lower(HashAlgorithm.getDescriptor(), slots.getAlgorithmValue()),
                        slots.getOwnersCount(),
                        StatusView.digest(slots.getExpectedDigest()),
                        verdict(slots, page)));
        page.line("reason: " + slots.getReason()).gap();
        page.table(shares(slots)).line(statistics(slots)).gap();
        picture(slots, page);
    }

    private static String verdict(GetPoolSlotsResponse slots, Page page) {
        return switch (SlotsDigest.check(slots)) {
            case EQUAL -> " (recomputed here: equal)";
            case DIFFERENT -> " " + page.palette().paint(new Cell("(recomputed here: DIFFERENT)", Cell.Tone.BAD));
            case NOT_CHECKED -> "";
        };
    }

    private static Table shares(GetPoolSlotsResponse slots) {
        Table table = new Table("MEMBER", "ADDRESS", ">WEIGHT", ">EFFECTIVE", ">SLOTS", ">SHARE%", "CELL");
        for (int i = 0; i < slots.getMembersCount(); i++) {
            MemberShare member = slots.getMembers(i);
            double share = slots.getOwnersCount() == 0 ? 0 : 100.0 * member.getSlots() / slots.getOwnersCount();
            table.row(
                    Cell.of(name(member)),
                    Cell.of(member.getAddress()),
                    Cell.of(member.getWeight()),
                    Cell.of(member.getEffectiveWeight()),
                    Cell.of(member.getSlots()),
                    Cell.of(String.format(Locale.ROOT, "%.2f", share)),
                    Cell.of(SlotPicture.letter(i)));
        }
        return table;
    }

    private static String name(MemberShare member) {
        if (member.getRetired()) {
            return "(retired %s)".formatted(member.getName());
        }
        return member.getName().isEmpty() ? "(deleted %d)".formatted(member.getId()) : member.getName();
    }

    private static String statistics(GetPoolSlotsResponse slots) {
        Spread spread = Spread.of(slots.getMembersList().stream()
                .filter(member -> member.getEffectiveWeight() > 0)
                .map(MemberShare::getSlots)
                .toList());
        return String.format(
                Locale.ROOT,
                "%d taking traffic: average %.2f slots, standard deviation %.2f, max/average %.4f",
                spread.members(),
                spread.average(),
                spread.deviation(),
                spread.overprovision());
    }

    private static void picture(GetPoolSlotsResponse slots, Page page) {
        Map<Integer, Integer> indexById = new TreeMap<>();
        for (int i = 0; i < slots.getMembersCount(); i++) {
            indexById.put(slots.getMembers(i).getId(), i);
        }
        SlotPicture.draw(slots.getOwnersCount(), slot -> indexById.getOrDefault(slots.getOwners(slot), -1), page);
    }
}
