package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A group of one bucket: actions done with what a selection gives. Two groups are equal when the switch would treat
 * packets alike.
 *
 * @param id group number, unsigned 32 bits; it alone tells whose the group is, for groups have no cookie
 * @param selection what the switch works out before the actions
 * @param actions actions of the bucket, first one first
 */
public record Group(int id, Selection selection, List<Action> actions) {
    /** Copies the list. */
    public Group {
        actions = Collections.unmodifiableList(new ArrayList<>(actions));
    }

    /** What the switch works out before the actions. */
    public sealed interface Selection {
        /**
         * The datapath's hash of the packet, to be read as {@link Field#DP_HASH}.
         *
         * @param algorithm number of the hash, 1 is {@code OVS_HASH_ALG_SYM_L4}
         * @param basis salt, 0..65535
         */
        record DatapathHash(int algorithm, int basis) implements Selection {
            private static final int BASIS_MAX = 0xffff;

            /** Checks the range of the basis. */
            public DatapathHash {
                if (basis < 0 || basis > BASIS_MAX) {
                    throw new IllegalArgumentException("dp_hash: basis must be 0..65535, is " + basis);
                }
            }

            /** Returns the parameter as the switch takes it. */
            public long parameter() {
                return ((long) algorithm << 32) | basis;
            }

            @Override
            public String toString() {
                return "type=select,selection_method=dp_hash,selection_method_param=" + parameter();
            }
        }

        /**
         * A group found in a switch that this program never writes.
         *
         * @param bytes the whole description, in hexadecimal
         */
        record Unrecognised(String bytes) implements Selection {
            @Override
            public String toString() {
                return "group(" + bytes + ")";
            }
        }
    }

    /** Returns the group as {@code ovs-ofctl} reads it. */
    @Override
    public String toString() {
        return "group_id=" + Integer.toUnsignedString(id) + "," + selection + ",bucket=bucket_id=0,weight=1,actions="
                + actions.stream().map(Action::toString).collect(Collectors.joining(","));
    }
}
