package io.quorumlb.maglev;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Definitions drawn at random from a seed. */
final class Draws {
    private static final int PORT = 8080;

    private Draws() {}

    /** Members with distinct random keys, one in four of IPv6, ids in random order, all taking their whole weight. */
    static List<TableMember> members(Random random, int count) {
        SortedSet<MemberKey> keys = new TreeSet<>();
        while (keys.size() < count) {
            IpAddress address = random.nextInt(4) == 0
                    ? new Ipv6Address(0x2001_0db8_0000_0000L, random.nextInt(4 * count))
                    : new Ipv4Address(0x0a14_0000 + random.nextInt(4 * count));
            keys.add(new MemberKey(address, random.nextBoolean() ? PORT : 1 + random.nextInt(0xffff)));
        }
        List<Integer> ids = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            ids.add(id);
        }
        Collections.shuffle(ids, random);
        int style = random.nextInt(5);
        List<TableMember> members = new ArrayList<>();
        for (MemberKey key : keys) {
            members.add(TableMember.full(ids.get(members.size()), key, weight(random, style)));
        }
        return members;
    }

    private static int weight(Random random, int style) {
        return switch (style) {
            case 0 -> 1;
            case 1 -> 100;
            case 2 -> 1 + random.nextInt(10);
            case 3 -> random.nextInt(4) == 0 ? 1000 : 1 + random.nextInt(3);
            default -> random.nextInt(TableMember.WEIGHT_MAX + 1);
        };
    }

    /** Puts some members out, lets some ramp. */
    static List<TableMember> disturbed(Random random, List<TableMember> members) {
        int outOfTen = random.nextInt(11);
        int rampsOfTen = random.nextInt(3);
        return members.stream()
                .map(member -> {
                    int draw = random.nextInt(10);
                    int now = draw < outOfTen
                            ? 0
                            : random.nextInt(10) < rampsOfTen ? random.nextInt(member.weight() + 1) : member.weight();
                    return member.withEffective(now);
                })
                .toList();
    }

    /** A definition with members out and ramping. */
    static PoolDefinition definition(Random random, HashAlgoVersion version, int slots, int membersMax) {
        List<TableMember> members = disturbed(random, members(random, 1 + random.nextInt(membersMax)));
        return PoolDefinition.of(version, 1 + random.nextInt(SlotTable.POOL_ID_MAX), slots, members);
    }

    /** Returns the definition in one line. */
    static String line(PoolDefinition definition) {
        return "%d %d %d"
                        .formatted(
                                definition.version().number(),
                                definition.poolId(),
                                Integer.numberOfTrailingZeros(definition.slots()))
                + definition.members().stream()
                        .map(member -> "|%d %s %d %d"
                                .formatted(member.id(), member.key(), member.weight(), member.effectiveWeight()))
                        .collect(Collectors.joining());
    }

    /** Returns the same members with one of them at another effective weight. */
    static List<TableMember> with(List<TableMember> members, int index, int effectiveWeight) {
        List<TableMember> changed = new ArrayList<>(members);
        changed.set(index, changed.get(index).withEffective(effectiveWeight));
        return changed;
    }
}
