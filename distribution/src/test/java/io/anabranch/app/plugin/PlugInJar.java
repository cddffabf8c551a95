package io.anabranch.app.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Jars of plug-ins, compiled against the class path of the test. */
final class PlugInJar {

  private PlugInJar() {}

  /**
   * Puts a plug-in into a folder of its own.
   *
   * @param api the manifest's attribute; null: there is none
   * @param source of a class of {@code org.example}
   * @param points extension points to the names of the classes that provide them
   */
  static void write(
      Path extLib,
      String name,
      @Nullable String api,
      String source,
      Map<Class<?>, List<String>> points)
      throws IOException {
    Path classes = Files.createTempDirectory(extLib.getParent(), "classes");
    boolean isCompiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(
                null,
                null,
                null,
                List.of("-d", classes.toString(), "-proc:none"),
                null,
                List.of(source(source)))
            .call();
    assertThat(isCompiled).isTrue();
    Path services = Files.createDirectories(classes.resolve("META-INF/services"));
    for (Map.Entry<Class<?>, List<String>> point : points.entrySet()) {
      Files.writeString(
          services.resolve(point.getKey().getName()),
          point.getValue().stream().map(each -> each + "\n").collect(Collectors.joining()));
    }
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (api != null) {
      manifest.getMainAttributes().putValue(PlugIns.API_ATTRIBUTE, api);
    }
    Path jar = Files.createDirectories(extLib.resolve(name)).resolve(name + ".jar");
    try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        out.write(Files.readAllBytes(file));
        out.closeEntry();
      }
    }
  }

  private static JavaFileObject source(String text) {
    String name = text.replaceFirst("(?s).*?public final class (\\w+).*", "$1");
    return new SimpleJavaFileObject(
        URI.create("string:///org/example/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoresErrors) {
        return text;
      }
    };
  }
}
