package io.quorumlb.lbctl;

import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads members for a simulation; ids are given in the order in which they come. */
final class SimulatedMembers {
    private static final char COMMENT = '#';
    private static final int GENERATED_MAX = 65_536;
    private static final int HOSTS_PER_BLOCK = 250;

    private final List<TableMember> members = new ArrayList<>();

    /**
     * Adds a member.
     *
     * @param text {@code ADDRESS:PORT[=WEIGHT[/EFFECTIVE]]}
     * @throws CommandFailure naming what is wrong
     */
    void add(String text) {
        int equals = text.indexOf('=');
        String weights = equals < 0 ? "1" : text.substring(equals + 1);
        int slash = weights.indexOf('/');
        String weight = slash < 0 ? weights : weights.substring(0, slash);
        add(equals < 0 ? text : text.substring(0, equals), weight, slash < 0 ? weight : weights.substring(slash + 1));
    }

    private void add(String key, String weight, String effective) {
        try {
            members.add(new TableMember(
                    members.size() + 1, MemberKey.parse(key), number(weight, key), number(effective, key)));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private static int number(String text, String key) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "weight '%s' of member %s is not a number 0..%d".formatted(text, key, TableMember.WEIGHT_MAX));
        }
    }

    /**
     * Adds the members of a file: a line for each, {@code ADDRESS:PORT [WEIGHT [EFFECTIVE]]}, comments behind #.
     *
     * @throws CommandFailure if the file cannot be read or a line is wrong
     */
    void addFile(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.USAGE, "--file %s cannot be read: %s".formatted(file, e));
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            int comment = line.indexOf(COMMENT);
            String[] words =
                    (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+", -1);
            if (words.length > 3) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "%s line %d has %d words: ADDRESS:PORT [WEIGHT [EFFECTIVE]] expected"
                                .formatted(file, i + 1, words.length));
            }
            if (!words[0].isEmpty()) {
                String weight = words.length > 1 ? words[1] : "1";
                add(words[0], weight, words.length > 2 ? words[2] : weight);
            }
        }
    }

    /**
     * Adds members of weight 1 with addresses nobody has, to see what a number of members does.
     *
     * @throws CommandFailure if there are more than 65536
     */
    void generate(int count) {
        if (count > GENERATED_MAX) {
            throw new CommandFailure(ExitCode.USAGE, "--members %d is outside 0..%d".formatted(count, GENERATED_MAX));
        }
        for (int i = 0; i < count; i++) {
            int block = i / HOSTS_PER_BLOCK;
            add("198.%d.%d.%d:80"
                    .formatted(18 + block / HOSTS_PER_BLOCK, block % HOSTS_PER_BLOCK, i % HOSTS_PER_BLOCK + 1));
        }
    }

    /** Returns the members in the order in which they came. */
    List<TableMember> list() {
        return List.copyOf(members);
    }
}
