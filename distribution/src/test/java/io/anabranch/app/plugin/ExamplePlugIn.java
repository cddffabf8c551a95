package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The examples of plug-ins, compiled as their authors would: against the published jar alone. */
final class ExamplePlugIn {

  private static final Path EXAMPLES = Path.of("src/examples");

  private ExamplePlugIn() {}

  /**
   * Puts the jar of an example into a folder of {@code ext-lib/}.
   *
   * @param name of the example, and of that folder
   * @param home of the installation
   */
  static void install(String name, Path home) throws IOException {
    Path sources = EXAMPLES.resolve(name).resolve("src/main");
    Path classes = Files.createDirectories(home.resolve("compiled").resolve(name));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    var told = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean isCompiled =
          compiler
              .getTask(
                  told,
                  files,
                  null,
                  List.of(
                      "-d",
                      classes.toString(),
                      "-proc:none",
                      "-Xlint:all",
                      "-Werror",
                      "-cp",
                      published().toString()),
                  null,
                  files.getJavaFileObjectsFromPaths(inside(sources.resolve("java"))))
              .call();
      assertThat(isCompiled).as(told.toString()).isTrue();
    }
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue(PlugIns.API_ATTRIBUTE, Integer.toString(PlugIns.API));
    Path jar = Files.createDirectories(home.resolve("ext-lib").resolve(name)).resolve("own.jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Path root : List.of(classes, sources.resolve("resources"))) {
        for (Path file : inside(root)) {
          out.putNextEntry(new JarEntry(root.relativize(file).toString()));
          out.write(Files.readAllBytes(file));
          out.closeEntry();
        }
      }
    }
  }

  private static List<Path> inside(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path published() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("../anabranch-spi/target"))) {
      return files
          .filter(file -> file.getFileName().toString().matches("anabranch-spi-[\\d.]+\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }
}
