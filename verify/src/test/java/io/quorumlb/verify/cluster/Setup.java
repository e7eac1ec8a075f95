package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

/** What a test makes with lbctl, deleted again in the opposite order. */
final class Setup implements AutoCloseable {
    private final Container node;
    private final List<List<String>> undo = new ArrayList<>();

    Setup(Site site) {
        node = site.container("n1");
    }

    Container.Output lbctl(String... arguments) {
        List<String> command = new ArrayList<>(List.of("lbctl"));
        command.addAll(List.of(arguments));
        return node.exec(command.toArray(String[]::new));
    }

    /** Creates an object; the name of a member is that of its pool, a slash and its own, which follows again. */
    void make(String noun, String name, String... arguments) {
        List<String> command = new ArrayList<>(List.of(noun, "create"));
        if (!noun.equals("member")) {
            command.add(name);
        }
        command.addAll(List.of(arguments));
        Container.Output made = lbctl(command.toArray(String[]::new));
        assertEquals(0, made.status(), command + ": " + made.err());
        undo.add(List.of(noun, "delete", name));
    }

    void undoLast() {
        assertEquals(0, lbctl(undo.removeLast().toArray(String[]::new)).status());
    }

    @Override
    public void close() {
        while (!undo.isEmpty()) {
            lbctl(undo.removeLast().toArray(String[]::new));
        }
    }
}
