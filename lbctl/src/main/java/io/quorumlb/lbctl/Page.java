package io.quorumlb.lbctl;

import java.util.ArrayList;
import java.util.List;

/** Text for people, line by line. */
final class Page {
    private final Palette palette;
    private final Width width;
    private final List<String> lines = new ArrayList<>();

    /** How much a page shows of objects. */
    enum Width {
        NORMAL,
        WIDE
    }

    /** Creates an empty page. */
    Page(Palette palette, Width width) {
        this.palette = palette;
        this.width = width;
    }

    /** Returns how much the page shows of objects. */
    Width width() {
        return width;
    }

    /** Returns how the page is coloured. */
    Palette palette() {
        return palette;
    }

    /** Adds a line as it is. */
    Page line(String line) {
        lines.add(line);
        return this;
    }

    /** Adds a line with one meaning. */
    Page line(Cell cell) {
        return line(palette.paint(cell));
    }

    /** Adds an empty line. */
    Page gap() {
        return line("");
    }

    /** Adds a table. */
    Page table(Table table) {
        lines.addAll(table.lines(palette));
        return this;
    }

    /** Returns the lines, each with its end. */
    String text() {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }
}
