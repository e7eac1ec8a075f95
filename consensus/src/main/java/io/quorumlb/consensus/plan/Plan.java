package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.maglev.Movement;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What the leader should do about one pool. */
public sealed interface Plan {
    /** Returns what is held back, in the order of the guards; empty if nothing is. */
    List<Hold> holds();

    /** The current generation says what is wanted. */
    record Keep() implements Plan {
        @Override
        public List<Hold> holds() {
            return List.of();
        }
    }

    /** Something is wanted and all of it is held back. */
    record Held(List<Hold> holds) implements Plan {
        /** Copies the list. */
        public Held {
            holds = List.copyOf(holds);
        }

        /** Returns true if nothing but the health of members is held, and not just for a moment. */
        public boolean lasting() {
            return holds.stream()
                    .noneMatch(hold -> hold.passing() || hold.code().equals(Guard.DISRUPTION.code()));
        }
    }

    /**
     * Another generation is due.
     *
     * @param command to propose; without evidence
     * @param movement slots that it moves
     * @param byHealth members whose effective weight health changes, by id
     * @param holds what it leaves out
     */
    record Commit(Command.CommitGeneration command, Movement movement, SortedSet<Integer> byHealth, List<Hold> holds)
            implements Plan {
        /** Copies the collections. */
        public Commit {
            byHealth = Collections.unmodifiableSortedSet(new TreeSet<>(byHealth));
            holds = List.copyOf(holds);
        }
    }
}
