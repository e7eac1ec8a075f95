package io.quorumlb.maglev;

import java.util.List;

/** The hash words of member keys in one pool: they depend on version, pool and key only. Immutable. */
final class HashedKeys {
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

    private HashedKeys(HashAlgoVersion version, int poolId, MemberKey[] keys, int[] words) {
        this.version = version;
        this.poolId = poolId;
        this.keys = keys;
        this.words = words;
    }

    /** Returns the words of no keys. */
    static HashedKeys none() {
        return new HashedKeys(HashAlgoVersion.V2, 1, new MemberKey[0], new int[0]);
    }

    /** Returns the number of words of one key: version 1 has offset and skip, version 2 a0, m0, a1, m1, a2, m2. */
    private static int wordsPerKey(HashAlgoVersion version) {
        return switch (version) {
            case V1 -> 2;
            case V2 -> 6;
        };
    }

    /** Returns the number of keys. */
    int size() {
        return keys.length;
    }

    /** Returns a word of the key with an index, in the order of the keys. */
    int word(int index, int word) {
        return words[index * wordsPerKey(version) + word];
    }

    /** Returns the words of members of a definition, this if they are the same; only keys not known here are hashed. */
    HashedKeys of(PoolDefinition definition, List<TableMember> members) {
        boolean same = version == definition.version() && poolId == definition.poolId();
        return same && covers(members) ? this : hashed(definition, members, same);
    }

    private boolean covers(List<TableMember> members) {
        if (keys.length != members.size()) {
            return false;
        }
        for (int i = 0; i < keys.length; i++) {
            if (!keys[i].equals(members.get(i).key())) {
                return false;
            }
        }
        return true;
    }

    private HashedKeys hashed(PoolDefinition definition, List<TableMember> members, boolean usable) {
        int perKey = wordsPerKey(definition.version());
        MemberKey[] wanted = new MemberKey[members.size()];
        int[] found = new int[wanted.length * perKey];
        int at = 0;
        for (int i = 0; i < wanted.length; i++) {
            MemberKey key = members.get(i).key();
            wanted[i] = key;
            while (usable && at < keys.length && keys[at].compareTo(key) < 0) {
                at++;
            }
            if (usable && at < keys.length && keys[at].equals(key)) {
                System.arraycopy(words, at * perKey, found, i * perKey, perKey);
            } else {
                hash(definition.version(), definition.poolId(), key, found, i * perKey);
            }
        }
        return new HashedKeys(definition.version(), definition.poolId(), wanted, found);
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
