package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The hash words of member keys in one pool. They depend on version, pool and key only, so that whoever builds many
 * tables of a pool hashes each key once. Immutable.
 */
public final class HashedKeys {
    private static final String LABEL = "quorumlb/maglev/2";
    private static final int KEY_BYTES = 64;
    private static final int FNV_BASIS = 0x811c9dc5;
    private static final int FNV_PRIME = 0x01000193;
    private static final int SALT_OFFSET = 1;
    private static final int SALT_SKIP = 2;

    private final HashAlgoVersion version;
    private final int poolId;
    private final MemberKey[] keys;
    private final int[] words;

    private HashedKeys(HashAlgoVersion version, int poolId, MemberKey[] keys) {
        this.version = version;
        this.poolId = poolId;
        this.keys = keys;
        int perKey = wordsPerKey(version);
        this.words = new int[keys.length * perKey];
        for (int i = 0; i < keys.length; i++) {
            hash(version, poolId, keys[i], words, i * perKey);
        }
    }

    /** Hashes keys in any order for one pool, 1..65535. */
    public static HashedKeys of(HashAlgoVersion version, int poolId, Collection<MemberKey> keys) {
        MemberKey[] sorted = keys.toArray(MemberKey[]::new);
        Arrays.sort(sorted);
        return new HashedKeys(version, poolId, sorted);
    }

    /** Returns the number of words of one key: version 1 has offset and skip, version 2 a0, m0, a1, m1, a2, m2. */
    static int wordsPerKey(HashAlgoVersion version) {
        return switch (version) {
            case V1 -> 2;
            case V2 -> 6;
        };
    }

    /** Returns the words of the members, which are sorted by key; keys not known here are hashed now. */
    int[] of(PoolDefinition definition, List<TableMember> members) {
        boolean same = version == definition.version() && poolId == definition.poolId();
        int perKey = wordsPerKey(definition.version());
        int[] found = new int[members.size() * perKey];
        int at = 0;
        for (int i = 0; i < members.size(); i++) {
            MemberKey key = members.get(i).key();
            while (same && at < keys.length && !keys[at].equals(key) && keys[at].compareTo(key) < 0) {
                at++;
            }
            if (same && at < keys.length && keys[at].equals(key)) {
                System.arraycopy(words, at * perKey, found, i * perKey, perKey);
            } else {
                hash(definition.version(), definition.poolId(), key, found, i * perKey);
            }
        }
        return found;
    }

    private static void hash(HashAlgoVersion version, int poolId, MemberKey key, int[] words, int at) {
        switch (version) {
            case V1 -> {
                byte[] bytes = key.bytes();
                words[at] = fnv(poolId, SALT_OFFSET, bytes);
                words[at + 1] = fnv(poolId, SALT_SKIP, bytes);
            }
            case V2 -> {
                byte[] input = new BigEndian(KEY_BYTES)
                        .ascii(LABEL)
                        .u16(poolId)
                        .text(key.toString())
                        .toBytes();
                byte[] hash = Digest.sha256().digest(input);
                for (int i = 0; i < wordsPerKey(version); i++) {
                    words[at + i] = BigEndian.u32(hash, i * Integer.BYTES);
                }
            }
        }
    }

    /** FNV-1a, 32 bits, over pool id and salt (four big-endian bytes each) and the key. */
    private static int fnv(int poolId, int salt, byte[] key) {
        int hash = fnv(fnv(FNV_BASIS, poolId), salt);
        for (byte b : key) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    private static int fnv(int hash, int word) {
        int result = hash;
        for (int shift = 24; shift >= 0; shift -= 8) {
            result = (result ^ ((word >>> shift) & 0xff)) * FNV_PRIME;
        }
        return result;
    }
}
