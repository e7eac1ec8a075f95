package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A table of configured objects. On a wide page each row also has the object's labels, revision and id. */
final class ObjectTable {
    private static final String ID = ">ID";

    private final Table table;
    private final Page page;
    private final boolean labelled;
    private final boolean numbered;

    /**
     * Creates a table without rows.
     *
     * @param headings as {@link Table} has them
     */
    ObjectTable(Page page, String... headings) {
        this.page = page;
        List<String> all = new ArrayList<>(List.of(headings));
        this.labelled = page.width() == Page.Width.WIDE;
        this.numbered = labelled && !all.contains(ID);
        if (labelled) {
            all.addAll(List.of("LABELS", ">REVISION"));
        }
        if (numbered) {
            all.add(ID);
        }
        this.table = new Table(all.toArray(String[]::new));
    }

    /**
     * Adds an object.
     *
     * @param revision that changed it last
     * @param cells for the headings
     */
    void row(int id, Map<String, String> labels, long revision, Cell... cells) {
        List<Cell> all = new ArrayList<>(List.of(cells));
        if (labelled) {
            all.addAll(List.of(Cell.of(text(labels)), Cell.of(revision)));
        }
        if (numbered) {
            all.add(Cell.of(id));
        }
        table.row(all.toArray(Cell[]::new));
    }

    /** Writes the table on the page. */
    void show() {
        page.table(table);
    }

    /** Returns labels as people write them, by key. */
    static String text(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }
}
