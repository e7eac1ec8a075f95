package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ArchivableJarTest {
    @TempDir
    private Path directory;

    private static List<String> names(Path jar) throws IOException {
        try (JarFile opened = new JarFile(jar.toFile())) {
            return Collections.list(opened.entries()).stream()
                    .map(JarEntry::getName)
                    .toList();
        }
    }

    /** The classes of a loader of its own are verified when they are initialized, with the maps that were made for them. */
    @Test
    void picocliIsTheSameButNewer() throws IOException, URISyntaxException, ReflectiveOperationException {
        Path original = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = Files.copy(original, directory.resolve("picocli.jar"));
        ArchivableJar.rewrite(jar);
        ArchivableJar.rewrite(jar);
        assertEquals(names(original), names(jar));
        List<String> classes = new ArrayList<>();
        try (JarFile opened = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(opened.entries())) {
                if (entry.getName().startsWith("picocli/") && entry.getName().endsWith(".class")) {
                    ClassModel model =
                            ClassFile.of().parse(opened.getInputStream(entry).readAllBytes());
                    assertEquals(ClassFile.JAVA_17_VERSION, model.majorVersion(), entry.getName());
                    classes.add(entry.getName().replace(".class", "").replace('/', '.'));
                }
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (String name : classes) {
                assertEquals(loader, Class.forName(name, true, loader).getClassLoader());
            }
        }
    }
}
