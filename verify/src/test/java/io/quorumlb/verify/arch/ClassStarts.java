package io.quorumlb.verify.arch;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which classes have to be started, their static fields set, while another one is. What a lambda does counts as done at once;
 * what a method does that overrides the one called is not seen.
 */
final class ClassStarts {
    private final SortedMap<String, SortedSet<String>> needed = new TreeMap<>();

    ClassStarts(Iterable<JavaClass> classes) {
        for (JavaClass type : classes) {
            needed.put(type.getName(), needed(type));
        }
    }

    /** Returns the classes around a circle that begins and ends with this one, if there is one. */
    Optional<String> circle(JavaClass type) {
        String start = type.getName();
        SortedMap<String, String> ways = new TreeMap<>();
        var next = new ArrayDeque<String>(Set.of(start));
        while (!next.isEmpty()) {
            String at = next.remove();
            String way = ways.getOrDefault(at, start);
            for (String to : needed.getOrDefault(at, new TreeSet<>())) {
                if (ways.putIfAbsent(to, way + " -> " + to) == null) {
                    next.add(to);
                }
            }
        }
        return Optional.ofNullable(ways.get(start));
    }

    private static SortedSet<String> needed(JavaClass type) {
        SortedSet<String> found = new TreeSet<>();
        Set<JavaCodeUnit> seen = new HashSet<>();
        var next = new ArrayDeque<JavaCodeUnit>();
        type.getStaticInitializer().ifPresent(next::add);
        while (!next.isEmpty()) {
            JavaCodeUnit unit = next.remove();
            if (seen.add(unit)) {
                unit.getAccessesFromSelf().forEach(access -> follow(access, type, found, next));
            }
        }
        return found;
    }

    private static void follow(
            JavaAccess<?> access, JavaClass type, SortedSet<String> found, ArrayDeque<JavaCodeUnit> next) {
        Optional<? extends JavaMember> target = access.getTarget().resolveMember();
        if (target.isEmpty() || !Product.ours(target.get().getOwner())) {
            return;
        }
        JavaMember member = target.get();
        JavaClass owner = member.getOwner();
        boolean starts = member.getModifiers().contains(JavaModifier.STATIC)
                || member.getName().equals("<init>");
        if (starts && !owner.equals(type) && owner.getStaticInitializer().isPresent()) {
            found.add(owner.getName());
        }
        if (member instanceof JavaCodeUnit unit) {
            next.add(unit);
        }
    }
}
