package io.quorumlb.verify.arch;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules that keep the core pure and the arrows pointing one way. */
class ArchitectureTest {
    private static final List<String> PURE_JDK = List.of(
            "java.lang",
            "java.util",
            "java.util.function",
            "java.util.stream",
            "java.time",
            "java.security",
            "java.nio.charset");

    /** What the compiler itself calls for lambdas, records and pattern switches. */
    private static final List<String> COMPILER = List.of("java.lang.invoke", "java.lang.runtime");

    private static final List<String> ANNOTATIONS = List.of("org.jspecify.annotations", "java.lang.annotation");

    private static final Pattern CLOCK_CHANCE_PLACE = Pattern.compile(
            "java\\.lang\\.(System\\.(currentTimeMillis|nanoTime"
                    + "|getenv|getProperty|getProperties|identityHashCode)|Math\\.random|Runtime\\..*|Thread.*|Process.*)"
                    + "|java\\.util\\.(Random|SplittableRandom|Timer|UUID\\.randomUUID|Locale\\.getDefault).*"
                    + "|java\\.time\\.(Clock\\..*|.*\\.now)|java\\.security\\.SecureRandom.*|java\\.time\\.ZoneId\\.systemDefault");

    private static final Pattern UNORDERED =
            Pattern.compile("java\\.util\\.(Set|Map)\\.(of|ofEntries|copyOf)|.*Collectors\\.toUnmodifiable(Set|Map)");

    private static final SortedSet<String> PORTS = new TreeSet<>(List.of(
            "io.quorumlb.consensus.log.GenerationLog",
            "io.quorumlb.ovs.install.Datapath",
            "io.quorumlb.node.announce.Announcer",
            "io.quorumlb.node.shell.PacketTracing$Question"));

    /** Found by their name in META-INF/services. */
    private static final SortedSet<String> PROVIDERS = new TreeSet<>(List.of("io.quorumlb.consensus.raft.RaftMetrics"));

    private static final Pattern NAMES_THAT_SAY_NOTHING =
            Pattern.compile(".*(Impl|Manager|Helper|Utils?|Base)|Abstract.*");

    private static void none(String rule, Stream<String> violations) {
        assertEquals(List.of(), violations.distinct().sorted().toList(), rule);
    }

    private static String at(JavaClass type, Object what) {
        return type.getName().substring(PackageTable.ROOT.length()) + ": " + what;
    }

    @Test
    void everyPackageHasARowAndEveryRowAPackage() {
        SortedSet<String> packages = new TreeSet<>();
        Product.classes().forEach(type -> packages.add(Product.packageOf(type)));
        assertEquals(new TreeSet<>(PackageTable.rows().keySet()), packages);
    }

    @Test
    void packagesUseOnlyWhatTheirRowLists() {
        none(
                "rules 1, 5 and 6: a package uses what its row in PackageTable lists",
                Product.classes().stream()
                        .flatMap(type -> Product.targets(type)
                                .filter(target -> !allowed(type, target))
                                .map(target -> at(type, target.getName()))));
    }

    private static boolean allowed(JavaClass type, JavaClass target) {
        String own = Product.packageOf(type);
        PackageTable.Row row = PackageTable.rows().get(own);
        String used = target.getPackageName();
        if (row == null || ANNOTATIONS.contains(used)) {
            return true;
        }
        if (Product.ours(target)) {
            String name = Product.packageOf(target);
            return name.equals(own) || row.everything() || row.packages().contains(name);
        }
        if (row.pure()) {
            return PURE_JDK.contains(used)
                    || COMPILER.contains(used)
                    || row.libraries().contains(used);
        }
        boolean jdk = used.startsWith("java.") || used.startsWith("javax.");
        return jdk || row.libraries().stream().anyMatch(prefix -> used.equals(prefix) || used.startsWith(prefix + "."));
    }

    @Test
    void foreignMemoryOnlyInLinuxAndProcessesNowhere() {
        none(
                "rule 5",
                Product.classes().stream()
                        .flatMap(type -> Product.targets(type)
                                .map(JavaClass::getName)
                                .filter(name -> name.startsWith("java.lang.ProcessBuilder")
                                        || (name.startsWith("java.lang.foreign.")
                                                && !Product.packageOf(type).equals("ovs.linux")))
                                .map(name -> at(type, name))));
    }

    @Test
    void purePackagesReadNoClockChanceThreadOrEnvironment() {
        none("rule 2", calls(CLOCK_CHANCE_PLACE));
    }

    @Test
    void purePackagesBuildNoCollectionsWhoseOrderDiffersBetweenProcesses() {
        none("rule 3: TreeMap, TreeSet or List with Collections.unmodifiable* instead", calls(UNORDERED));
    }

    private static Stream<String> calls(Pattern forbidden) {
        return Product.pure().stream()
                .flatMap(type -> type.getAccessesFromSelf().stream()
                        .map(ArchitectureTest::called)
                        .filter(forbidden.asMatchPredicate())
                        .map(name -> at(type, name)));
    }

    private static String called(JavaAccess<?> access) {
        return access.getTargetOwner().getName() + "." + access.getTarget().getName();
    }

    @Test
    void interfacesAreSealedExceptThePorts() {
        none(
                "rule 4",
                Product.classes().stream()
                        .filter(type -> type.isInterface() && !type.isAnnotation())
                        .filter(type -> !PORTS.contains(type.getName()))
                        .filter(type -> PackageTable.isPure(Product.packageOf(type)) || isPublic(type))
                        .filter(type -> !type.reflect().isSealed())
                        .map(JavaClass::getName));
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC);
    }

    @Test
    void thereAreNoPackageCycles() {
        slices().matching("io.quorumlb.(**)").should().beFreeOfCycles().check(Product.all());
    }

    @Test
    void noTwoClassesNeedEachOtherToStart() {
        var starts = new ClassStarts(Product.classes());
        none(
                "of two classes whose static fields need each other one finds null, or two threads wait for ever",
                Product.classes().stream().flatMap(type -> starts.circle(type).stream()));
    }

    @Test
    void aPublicTypeIsUsedByAnotherPackage() {
        SortedSet<String> used = new TreeSet<>();
        Stream.concat(Product.classes().stream(), Product.tests().stream())
                .forEach(type -> Stream.concat(Product.targets(type), Product.passed(type))
                        .filter(Product::ours)
                        .filter(target -> !target.getPackageName().equals(type.getPackageName()))
                        .forEach(target -> used.add(Product.topLevel(target).getName())));
        none(
                "rule 7: package-private is enough",
                Product.classes().stream()
                        .filter(type -> type.isTopLevelClass() && isPublic(type))
                        .filter(type -> !used.contains(type.getName()) && !PROVIDERS.contains(type.getName()))
                        .filter(type ->
                                type.tryGetMethod("main", String[].class).isEmpty())
                        .map(JavaClass::getName));
    }

    @Test
    void staticFieldsAreFinalAndNothingHidesInThreads() {
        none("rule 8: static fields are final", fields(field -> isMutableStatic(field)));
        none("rule 8: no ThreadLocal", fields(field -> field.getRawType().isAssignableTo(ThreadLocal.class)));
        none(
                "rule 8: records hold no arrays",
                fields(field -> field.getOwner().isRecord()
                        && !field.getModifiers().contains(JavaModifier.STATIC)
                        && field.getRawType().isArray()));
    }

    private static boolean isMutableStatic(JavaField field) {
        return field.getModifiers().contains(JavaModifier.STATIC)
                && !field.getModifiers().contains(JavaModifier.FINAL);
    }

    private static Stream<String> fields(Predicate<JavaField> wrong) {
        return Product.classes().stream()
                .flatMap(type -> type.getFields().stream()
                        .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .filter(wrong)
                        .map(field -> at(type, field.getName())));
    }

    @Test
    void namesSaySomething() {
        none(
                "rule 9",
                Product.classes().stream()
                        .filter(type -> NAMES_THAT_SAY_NOTHING
                                        .matcher(type.getSimpleName())
                                        .matches()
                                || Arrays.stream(type.getPackageName().split("\\."))
                                        .anyMatch(part -> part.equals("common") || part.equals("util")))
                        .map(JavaClass::getName));
    }

    @Test
    void testsNeitherSleepNorMockNorAreSwitchedOff() {
        var tests = Product.tests();
        assertTrue(tests.stream().anyMatch(type -> type.getName().equals(ArchitectureTest.class.getName())));
        none(
                "rule 10: no Thread.sleep",
                tests.stream()
                        .flatMap(type -> type.getAccessesFromSelf().stream()
                                .filter(access -> access.getTarget().getName().equals("sleep")
                                        && (access.getTargetOwner().isEquivalentTo(Thread.class)
                                                || access.getTargetOwner().isAssignableTo(TimeUnit.class)))
                                .map(access -> at(type, "sleeps"))));
        none(
                "rule 10: no mocking library, no @Disabled",
                tests.stream()
                        .flatMap(type -> Product.targets(type)
                                .map(JavaClass::getName)
                                .filter(name -> name.startsWith("org.mockito.")
                                        || name.startsWith("org.easymock.")
                                        || name.equals("org.junit.jupiter.api.Disabled"))
                                .map(name -> at(type, name))));
    }
}
