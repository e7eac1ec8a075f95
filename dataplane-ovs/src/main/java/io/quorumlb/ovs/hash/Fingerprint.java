package io.quorumlb.ovs.hash;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.SlotFunction;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * What the hashes of a switch gave for the {@link Corpus}. Two switches with one fingerprint give every connection the same
 * slot.
 *
 * @param table by the flow table's hashes: all fields a listener may choose
 * @param datapath by the datapath's hash; empty if it could not be had
 * @param trouble why not, for people; empty if it could
 */
public record Fingerprint(Digest table, Optional<Digest> datapath, String trouble) {
    /** Makes the fingerprint of a switch that has both. */
    public Fingerprint(Digest table, Digest datapath) {
        this(table, Optional.of(datapath), "");
    }

    /** Returns the fingerprint of a switch whose hashes are those of {@link SlotFormula}. */
    public static Fingerprint predicted() {
        return predicted(Corpus.FINGERPRINT_TUPLES);
    }

    /** Returns that fingerprint for another number of tuples of the corpus. */
    public static Fingerprint predicted(int count) {
        List<Tuple> corpus = Corpus.tuples(count);
        List<Integer> table = new ArrayList<>();
        List<Integer> datapath = new ArrayList<>();
        for (int index = 0; index < corpus.size(); index++) {
            Tuple tuple = corpus.get(index);
            for (HashFields fields : HashFields.values()) {
                table.add(SlotFormula.slot(
                        SlotFunction.MULTIPATH, fields, tuple, Corpus.tableBasis(index), Corpus.SLOTS));
            }
            if (tuple.protocol() == Tuple.TCP) {
                datapath.add(SlotFormula.slot(
                        SlotFunction.DP_HASH, HashFields.FIVE_TUPLE, tuple, Corpus.DATAPATH_BASIS, Corpus.SLOTS));
            }
        }
        return new Fingerprint(digest(table), digest(datapath));
    }

    /** Returns what nodes must agree in under a slot function; empty if this switch cannot do it. */
    public Optional<Digest> of(SlotFunction function) {
        return switch (function) {
            case MULTIPATH -> Optional.of(table);
            case DP_HASH -> datapath.map(other -> both(table, other));
        };
    }

    private static Digest both(Digest table, Digest datapath) {
        MessageDigest sum = sha256();
        sum.update(HexFormat.of().parseHex(table.hex()));
        sum.update(HexFormat.of().parseHex(datapath.hex()));
        return new Digest(HexFormat.of().formatHex(sum.digest()));
    }

    /** Returns the digest of slots in the order of the corpus. */
    public static Digest digest(List<Integer> slots) {
        MessageDigest sum = sha256();
        for (int slot : slots) {
            sum.update((byte) (slot >>> 8));
            sum.update((byte) slot);
        }
        return new Digest(HexFormat.of().formatHex(sum.digest()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
