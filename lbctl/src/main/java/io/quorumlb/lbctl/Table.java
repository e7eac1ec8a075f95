package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rows under fixed column names; each column as wide as its widest cell, two spaces between. */
final class Table {
    private final List<Column> columns;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * A column.
     *
     * @param name heading
     * @param alignment where the text stands
     */
    private record Column(String name, Alignment alignment) {}

    private enum Alignment {
        LEFT,
        RIGHT
    }

    /**
     * Creates a table without rows.
     *
     * @param headings column names; a leading {@code >} aligns to the right, for numbers
     */
    Table(String... headings) {
        this.columns = List.of(headings).stream()
                .map(heading -> heading.startsWith(">")
                        ? new Column(heading.substring(1), Alignment.RIGHT)
                        : new Column(heading, Alignment.LEFT))
                .toList();
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if there is not one cell for each column
     */
    void row(Cell... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException("%d cells for %d columns".formatted(cells.length, columns.size()));
        }
        rows.add(List.of(cells));
    }

    /** Returns the lines, heading first, without blanks at their ends. */
    List<String> lines(Palette palette) {
        List<List<Cell>> all = new ArrayList<>();
        all.add(columns.stream()
                .map(column -> new Cell(column.name(), Cell.Tone.HEADING))
                .toList());
        all.addAll(rows);
        int[] widths = new int[columns.size()];
        for (List<Cell> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).text().length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<Cell> row : all) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                Cell cell = row.get(i);
                String blanks = " ".repeat(widths[i] - cell.text().length());
                boolean right = columns.get(i).alignment() == Alignment.RIGHT;
                line.append(i == 0 ? "" : "  ").append(right ? blanks : "").append(palette.paint(cell));
                line.append(right ? "" : blanks);
            }
            lines.add(line.toString().stripTrailing());
        }
        return Collections.unmodifiableList(lines);
    }
}
