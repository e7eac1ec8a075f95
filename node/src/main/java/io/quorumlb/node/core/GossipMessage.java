package io.quorumlb.node.core;

import java.util.List;

/**
 * What one node sends another. Any message may be lost, come twice, late or out of order: later ones make up for it.
 *
 * @param beats one per owner at most, with ages as of the sending
 * @param deltas changes of records
 * @param held how much the sender holds of every record; who holds more sends it, who holds less asks for it. Empty
 *     unless this is an exchange
 * @param wanted records of which the sender wants all that comes after
 */
public record GossipMessage(List<Beat> beats, List<Delta> deltas, List<Stamp> held, List<Stamp> wanted) {
    /** Copies the lists. */
    public GossipMessage {
        beats = List.copyOf(beats);
        deltas = List.copyOf(deltas);
        held = List.copyOf(held);
        wanted = List.copyOf(wanted);
    }

    /** Returns true if it says nothing. */
    public boolean isEmpty() {
        return beats.isEmpty() && deltas.isEmpty() && held.isEmpty() && wanted.isEmpty();
    }
}
