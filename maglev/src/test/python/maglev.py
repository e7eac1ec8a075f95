"""Slot tables as docs/maglev.md describes them, written from that page alone. Slow and plain.

Reads one definition per line: version P k | id key w e | id key w e ...
Writes one line for each: digest of the table, generation digest, owner id of each slot.
"""

import hashlib
import struct
import sys


def fnv(data):
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) % 2**32
    return value


def version_1(pool, m, members):
    active = sorted((key.encode(), ident, e) for ident, key, w, e in members if e > 0)
    owners = [0] * m
    if not active:
        return owners
    total = sum(e for _, _, e in active)
    quota = [max(1, m * e // total) for _, _, e in active]
    turn = 0
    while sum(quota) < m:
        quota[turn % len(quota)] += 1
        turn += 1
    position = [fnv(struct.pack(">II", pool, 1) + key) % m for key, _, _ in active]
    skip = [(fnv(struct.pack(">II", pool, 2) + key) % (m - 1) + 1) | 1 for key, _, _ in active]
    free = m
    while free:
        for i, (_, ident, _) in enumerate(active):
            if free == 0 or quota[i] == 0:
                continue
            while owners[position[i]]:
                position[i] = (position[i] + skip[i]) % m
            owners[position[i]] = ident
            quota[i] -= 1
            free -= 1
    return owners


class Version2:
    def __init__(self, pool, k, members):
        self.k = k
        self.m = 2**k
        self.members = sorted((key.encode(), ident, w, e) for ident, key, w, e in members if w > 0)
        self.n = len(self.members)
        self.w = [w for _, _, w, _ in self.members]
        self.e = [e for _, _, _, e in self.members]
        self.walks = [self.walk(pool, key) for key, _, _, _ in self.members]

    def walk(self, pool, key):
        digest = hashlib.sha256(b"quorumlb/maglev/2" + struct.pack(">HH", pool, len(key)) + key).digest()
        a0, m0, a1, m1, a2, m2 = struct.unpack(">6I", digest[:24])
        slots = []
        for x in range(self.m):
            for a, factor in ((a0, m0), (a1, m1), (a2, m2)):
                x = (x * (factor | 1) + a) % self.m
                x ^= x >> ((self.k + 1) // 2)
            slots.append(x)
        return slots

    def fill(self, h, v, c, s):
        h = list(h)
        total = sum(v)
        for _ in range(c):
            best = max(
                (i for i in range(self.n) if v[i] > 0),
                key=lambda i: (self.m * v[i] - h[i] * total, -((i - s) % self.n)),
            )
            h[best] += 1
        return h

    def deal(self, slots, need):
        slots = set(slots)
        last = max(need)
        turns = sorted(
            (-(-turn * last // count), i) for i, count in enumerate(need) for turn in range(1, count + 1)
        )
        at = [0] * self.n
        owner = {}
        for _, i in turns:
            while self.walks[i][at[i]] not in slots:
                at[i] += 1
            slot = self.walks[i][at[i]]
            slots.remove(slot)
            owner[slot] = i
        return owner

    def share(self, i):
        return -(-self.m * self.e[i] // sum(self.e))

    def ranks(self):
        if sum(self.e) == 0:
            return {}
        b = self.fill([0] * self.n, self.w, self.m, 0)
        base = self.deal(range(self.m), b)
        if self.e == self.w:
            return base
        table = dict(base)
        held = list(b)
        second = {}
        for d in range(self.n):
            if self.e[d] == self.w[d]:
                continue
            keep = 0 if self.e[d] == 0 else min(b[d], self.share(d))
            own = [slot for slot in self.walks[d] if base[slot] == d]
            for slot in own[keep:]:
                del table[slot]
            held[d] = keep
            if self.n > 1:
                without = [0 if i == d else count for i, count in enumerate(b)]
                weights = [0 if i == d else weight for i, weight in enumerate(self.w)]
                q = self.fill(without, weights, b[d], d)
                second.update(self.deal(own, [q[i] - without[i] for i in range(self.n)]))
        for slot in range(self.m):
            if slot not in table and slot in second:
                i = second[slot]
                if self.e[i] == self.w[i] and held[i] < self.share(i):
                    table[slot] = i
                    held[i] += 1
        free = [slot for slot in range(self.m) if slot not in table]
        if free:
            q = self.fill(held, self.e, len(free), 0)
            table.update(self.deal(free, [q[i] - held[i] for i in range(self.n)]))
        return table

    def owners(self):
        ranks = self.ranks()
        return [self.members[ranks[slot]][1] if ranks else 0 for slot in range(self.m)]


def table_digest(version, pool, k, members, owners):
    if version == 1:
        return hashlib.sha256(b"".join(struct.pack(">I", owner) for owner in owners)).hexdigest()
    owning = sorted((key.encode(), ident) for ident, key, _, _ in members if ident in set(owners))
    data = b"quorumlb/slots/2" + struct.pack(">HBI", pool, k, len(owning))
    for key, _ in owning:
        data += struct.pack(">H", len(key)) + key
    index = {ident: i for i, (_, ident) in enumerate(owning)}
    if owning:
        data += b"".join(struct.pack(">H", index[owner]) for owner in owners)
    return hashlib.sha256(data).hexdigest()


def generation_digest(version, pool, k, members):
    data = b"quorumlb/generation/1" + struct.pack(">HBBI", pool, version, k, len(members))
    for key, ident, w, e in sorted((key.encode(), ident, w, e) for ident, key, w, e in members):
        data += struct.pack(">H", len(key)) + key + struct.pack(">IHH", ident, w, e)
    return hashlib.sha256(data).hexdigest()


def main():
    for line in sys.stdin:
        head, *parts = line.rstrip("\n").split("|")
        version, pool, k = (int(number) for number in head.split())
        members = []
        for part in parts:
            ident, key, w, e = part.split()
            members.append((int(ident), key, int(w), int(e)))
        if version == 1:
            owners = version_1(pool, 2**k, members)
        else:
            owners = Version2(pool, k, members).owners()
        print(
            table_digest(version, pool, k, members, owners),
            generation_digest(version, pool, k, members),
            ",".join(str(owner) for owner in owners),
        )


if __name__ == "__main__":
    main()
