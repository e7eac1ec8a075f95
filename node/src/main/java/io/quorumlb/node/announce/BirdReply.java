package io.quorumlb.node.announce;

import java.util.ArrayList;
import java.util.List;

/**
 * One complete reply on BIRD's control socket.
 *
 * @param lines in order, the final one last; at least one
 */
record BirdReply(List<Line> lines) {
    private static final int ERROR_CODE_MIN = 8000;
    private static final int CODE_DIGITS = 4;

    /**
     * One line.
     *
     * @param code four digits: 0xxx done, 1xxx table row, 2xxx table head, 8xxx failed, 9xxx not understood
     * @param text without the code
     */
    record Line(int code, String text) {}

    BirdReply {
        lines = List.copyOf(lines);
    }

    /** Returns true if BIRD refused or did not understand. */
    boolean failed() {
        return lines.stream().anyMatch(line -> line.code() >= ERROR_CODE_MIN);
    }

    /** Returns the texts of all lines with the code. */
    List<String> texts(int code) {
        return lines.stream()
                .filter(line -> line.code() == code)
                .map(Line::text)
                .toList();
    }

    /** Returns code and text of what BIRD said last or complained of, for people. */
    String summary() {
        Line line = lines.stream()
                .filter(candidate -> candidate.code() >= ERROR_CODE_MIN)
                .findFirst()
                .orElse(lines.getLast());
        return "%04d %s".formatted(line.code(), line.text()).strip();
    }

    /** Puts a reply together from the lines as they arrive. */
    static final class Assembler {
        private final List<Line> lines = new ArrayList<>();

        /**
         * Takes the next line, without its end.
         *
         * @return true if it ends the reply
         * @throws BirdException if it is not of BIRD's protocol
         */
        boolean add(String line) throws BirdException {
            if (line.startsWith("+")) {
                return false; // a log message that BIRD puts between the lines of replies
            }
            if (line.startsWith(" ") && !lines.isEmpty()) {
                lines.add(new Line(lines.getLast().code(), line.substring(1)));
                return false;
            }
            boolean coded = line.length() >= CODE_DIGITS
                    && line.chars().limit(CODE_DIGITS).allMatch(c -> c >= '0' && c <= '9');
            char separator = line.length() > CODE_DIGITS ? line.charAt(CODE_DIGITS) : ' ';
            if (!coded || (separator != ' ' && separator != '-')) {
                throw new BirdException("what answers is not BIRD: it says '%s'".formatted(printable(line)));
            }
            String text = line.length() > CODE_DIGITS ? line.substring(CODE_DIGITS + 1) : "";
            lines.add(new Line(Integer.parseInt(line.substring(0, CODE_DIGITS)), text));
            return separator == ' ';
        }

        /** Returns the lines taken so far as a reply. */
        BirdReply reply() {
            return new BirdReply(lines);
        }

        private static String printable(String line) {
            int shownMax = 60;
            String shown = line.length() > shownMax ? line.substring(0, shownMax) + "..." : line;
            return shown.replaceAll("[^ -~]", "?");
        }
    }
}
