package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static final Palette PLAIN = new Palette(Console.Colour.OFF);

    @Test
    void columnsAreAsWideAsTheirWidestCellAndLinesHaveNoTail() {
        Table table = new Table("NAME", ">COUNT", "DETAIL");
        table.row(Cell.of("a-long-name"), Cell.of(7), Cell.of(""));
        table.row(Cell.of("b"), Cell.of(1_234_567), Cell.of("all of it"));
        assertEquals(
                List.of("NAME           COUNT  DETAIL", "a-long-name        7  -", "b            1234567  all of it"),
                table.lines(PLAIN));
    }

    @Test
    void emptyTableIsItsHeading() {
        assertEquals(List.of("NAME  COUNT"), new Table("NAME", ">COUNT").lines(PLAIN));
    }

    @Test
    void rowOfAnotherLengthIsADefect() {
        assertThrows(IllegalArgumentException.class, () -> new Table("A", "B").row(Cell.of("a")));
    }

    @Test
    void agesAreShort() {
        assertEquals("0.0s", Age.ofMillis(0));
        assertEquals("0.3s", Age.ofMillis(312));
        assertEquals("99.9s", Age.ofMillis(99_900));
        assertEquals("1m40s", Age.ofMillis(100_000));
        assertEquals("1h02m", Age.of(Duration.ofMinutes(62)));
        assertEquals("500ms", Age.exact(500));
        assertEquals("60s", Age.exact(60_000));
    }

    @Test
    void spreadOfUnevenSlots() {
        assertEquals(new Spread(2, 3.0, 1.0, 4.0 / 3.0), Spread.of(List.of(2, 4)));
        assertEquals(new Spread(0, 0, 0, 0), Spread.of(List.of()));
    }
}
