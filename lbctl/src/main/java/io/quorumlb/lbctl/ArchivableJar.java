package io.quorumlb.lbctl;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Gives the classes of a jar a newer version and the stack maps that belong to it. The JVM puts no class of a version
 * before Java 6 into its AOT cache, and picocli's are such: loading and verifying them anew took a fifth of the
 * processor time of a command.
 */
final class ArchivableJar {
    private static final int VERSION = ClassFile.JAVA_17_VERSION;

    private ArchivableJar() {}

    /**
     * Rewrites the jar in its place; its classes must be on the class path too.
     *
     * @param args the jar
     */
    public static void main(String[] args) throws IOException {
        rewrite(Path.of(args[0]));
    }

    /** Rewrites the jar; done twice it is the same as once. */
    static void rewrite(Path jar) throws IOException {
        Path rewritten = jar.resolveSibling(jar.getFileName() + ".new");
        ClassFile classes = ClassFile.of(ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
        ClassTransform newer = ClassTransform.dropping(element -> element instanceof ClassFileVersion)
                .andThen(ClassTransform.endHandler(builder -> builder.withVersion(VERSION, 0)))
                .andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));
        try (JarFile from = new JarFile(jar.toFile());
                ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(rewritten))) {
            for (JarEntry entry : Collections.list(from.entries())) {
                byte[] content = from.getInputStream(entry).readAllBytes();
                String name = entry.getName();
                ZipEntry kept = new ZipEntry(name);
                kept.setTime(entry.getTime());
                to.putNextEntry(kept);
                to.write(
                        name.endsWith(".class") && !name.endsWith("module-info.class")
                                ? classes.transformClass(classes.parse(content), newer)
                                : content);
                to.closeEntry();
            }
        }
        Files.move(rewritten, jar, StandardCopyOption.REPLACE_EXISTING);
    }
}
