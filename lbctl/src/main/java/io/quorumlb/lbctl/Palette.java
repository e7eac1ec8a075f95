package io.quorumlb.lbctl;

import java.util.List;

/** Turns meaning into colour, or leaves it away. */
final class Palette {
    private static final String RESET = "\u001b[0m";
    // Backgrounds of the 256-colour cube that black letters can be read on.
    private static final List<Integer> BACKGROUNDS =
            List.of(117, 215, 120, 219, 229, 147, 210, 87, 156, 223, 183, 222, 159, 203, 191, 250);

    private final Console.Colour colour;

    /** Creates a palette that writes escape sequences only if colour is on. */
    Palette(Console.Colour colour) {
        this.colour = colour;
    }

    /** Returns the text of the cell, coloured by its tone. */
    String paint(Cell cell) {
        return sgr(cell.tone().code(), cell.text());
    }

    /**
     * Returns the text on a background.
     *
     * @param index any number from 0; backgrounds repeat
     */
    String paint(int index, String text) {
        return sgr("30;48;5;" + BACKGROUNDS.get(index % BACKGROUNDS.size()), text);
    }

    private String sgr(String code, String text) {
        boolean plain = colour == Console.Colour.OFF || code.isEmpty();
        return plain ? text : "\u001b[" + code + "m" + text + RESET;
    }
}
