package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.MemberSlots;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** What a plan makes of the slots of a pool's members, one a row. */
final class SharesTable {
    private static final double ALL = 100;

    private SharesTable() {}

    /** Returns the table. */
    static Table of(List<MemberSlots> members) {
        int before = sum(members, MemberSlots::getBefore);
        int after = sum(members, MemberSlots::getAfter);
        Table table =
                new Table("MEMBER", ">SLOTS", ">AFTER", ">SHARE", ">SHARE AFTER", ">GAINED", ">LOST", ">COLLATERAL");
        for (MemberSlots member : members) {
            Cell collateral = Cell.of(member.getCollateral());
            table.row(
                    Cell.of(member.getMember()),
                    Cell.of(member.getBefore()),
                    Cell.of(member.getAfter()),
                    share(member.getBefore(), before),
                    share(member.getAfter(), after),
                    Cell.of(member.getGained()),
                    Cell.of(member.getLost()),
                    member.getCollateral() == 0 ? collateral : collateral.toned(Cell.Tone.DOUBTFUL));
        }
        return table;
    }

    /** Returns the names of listeners as the end of a sentence; empty if there are none. */
    static String behind(List<String> listeners) {
        return listeners.isEmpty() ? "" : ", behind " + String.join(", ", listeners);
    }

    private static int sum(List<MemberSlots> members, ToIntFunction<MemberSlots> slots) {
        return members.stream().mapToInt(slots).sum();
    }

    private static Cell share(int slots, int all) {
        return Cell.of(all == 0 ? "" : String.format(Locale.ROOT, "%.1f%%", slots * ALL / all));
    }
}
