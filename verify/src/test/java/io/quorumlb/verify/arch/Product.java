package io.quorumlb.verify.arch;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** All shipped classes, generated ones apart, and all test classes. */
final class Product {
    /** What generated code says of itself. */
    private static final String GENERATED = PackageTable.ROOT + "proto.";

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.quorumlb");

    private Product() {}

    static JavaClasses all() {
        return ALL;
    }

    static List<JavaClass> classes() {
        return ALL.stream()
                .filter(type -> !type.getPackageName().startsWith(GENERATED))
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .toList();
    }

    static List<JavaClass> pure() {
        return classes().stream()
                .filter(type -> PackageTable.isPure(packageOf(type)))
                .toList();
    }

    /** Returns the test classes of every module that has been built. */
    static Collection<JavaClass> tests() {
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            List<Path> built = modules.map(module -> module.resolve("target/test-classes"))
                    .filter(Files::isDirectory)
                    .toList();
            return new ClassFileImporter()
                    .importPaths(built).stream()
                            .filter(type -> type.getPackageName().startsWith("io.quorumlb"))
                            .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("modules beside verify", e);
        }
    }

    /** Returns the package without the root: {@code node.core}. */
    static String packageOf(JavaClass type) {
        String name = type.getPackageName();
        return name.startsWith(PackageTable.ROOT) ? name.substring(PackageTable.ROOT.length()) : name;
    }

    static boolean ours(JavaClass type) {
        return type.getPackageName().startsWith(PackageTable.ROOT);
    }

    static Stream<JavaClass> targets(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .map(JavaClass::getBaseComponentType)
                .filter(target -> !target.isPrimitive());
    }

    /** Returns what the called methods take and give: a value that is only passed on leaves no other trace. */
    static Stream<JavaClass> passed(JavaClass type) {
        return type.getCodeUnitAccessesFromSelf().stream()
                .map(JavaCodeUnitAccess::getTarget)
                .flatMap(called ->
                        Stream.concat(Stream.of(called.getRawReturnType()), called.getRawParameterTypes().stream()))
                .map(JavaClass::getBaseComponentType);
    }

    static JavaClass topLevel(JavaClass type) {
        JavaClass top = type;
        while (top.getEnclosingClass().isPresent()) {
            top = top.getEnclosingClass().get();
        }
        return top;
    }
}
