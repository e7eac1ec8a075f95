package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.ChangeVerb;
import io.quorumlb.proto.v1.ObjectChange;
import io.quorumlb.proto.v1.ObjectKind;
import io.quorumlb.proto.v1.PlannedGeneration;
import io.quorumlb.proto.v1.PoolChange;

/** What a site changes, and what would follow. */
enum ApplyView implements View<ApplyResponse> {
    /** It was done. */
    DONE,
    /** It would be done. */
    PLANNED;

    @Override
    public void show(ApplyResponse response, Page page) {
        response.getChangesList().forEach(change -> page.line(sentence(change)));
        int changes = response.getChangesCount();
        if (changes == 0) {
            page.line(new Cell(
                    "nothing to change, revision " + Long.toUnsignedString(response.getRevision()), Cell.Tone.GOOD));
            return;
        }
        page.line(
                switch (this) {
                    case DONE -> "%s, revision %d".formatted(count(changes), response.getRevision());
                    case PLANNED -> "%s would be made at revision %d".formatted(count(changes), response.getRevision());
                });
        response.getPoolsList().forEach(pool -> show(pool, page));
    }

    private static String count(int changes) {
        return changes == 1 ? "1 change" : changes + " changes";
    }

    private static String sentence(ObjectChange change) {
        return "%s %s %s%s"
                .formatted(
                        EnumWord.lower(ChangeVerb.getDescriptor(), change.getVerbValue()),
                        EnumWord.lower(ObjectKind.getDescriptor(), change.getKindValue()),
                        change.getName(),
                        change.getDetailsCount() == 0 ? "" : ": " + String.join(", ", change.getDetailsList()));
    }

    /** Shows what would become of a pool. */
    static void show(PoolChange pool, Page page) {
        page.gap()
                .line("pool %s, generation %d%s"
                        .formatted(pool.getPool(), pool.getGeneration(), SharesTable.behind(pool.getListenersList())));
        pool.getHoldsList()
                .forEach(hold -> page.line(
                        new Cell("held: %s: %s".formatted(hold.getCode(), hold.getDetail()), Cell.Tone.DOUBTFUL)));
        if (pool.hasNext()) {
            page.line("next: " + sentence(pool.getNext()));
        } else if (!pool.hasUnguarded()) {
            boolean goes = pool.getMembersList().stream().anyMatch(member -> member.getLost() > 0);
            page.line(goes ? "it goes, and its table" : "its table stays");
            return;
        }
        if (pool.hasUnguarded() && !pool.getUnguarded().equals(pool.getNext())) {
            page.line("without guards: " + sentence(pool.getUnguarded()));
        }
        page.table(SharesTable.of(pool.getMembersList()));
    }

    private static String sentence(PlannedGeneration next) {
        return "generation %d: %s; %d slots move, %d of them needlessly"
                .formatted(next.getNumber(), next.getReason(), next.getMoved(), next.getCollateral());
    }
}
