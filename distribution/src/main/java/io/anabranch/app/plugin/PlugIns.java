package io.anabranch.app.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What implements extension points: classes of the proxy's class path, where jars that lie in
 * {@code ext-lib/} itself are, and of the folders in it, each of which is a plug-in with classes of
 * its own. Thread-safe. What was found stays: another jar is seen by the next start.
 */
public final class PlugIns {

  /** Of the interfaces that plug-ins are made of; a change that breaks them raises it. */
  public static final int API = 1;

  /** The attribute of a jar's manifest that says for which {@link #API} it was made. */
  public static final String API_ATTRIBUTE = "Anabranch-Api";

  private static final PlugIns INSTALLED = installed(System.getProperty("anabranch.home"));

  private final List<PlugInLoader> loaders;

  private PlugIns(List<PlugInLoader> loaders) {
    this.loaders = List.copyOf(loaders);
  }

  /** Of this installation. */
  public static PlugIns installed() {
    return INSTALLED;
  }

  private static PlugIns installed(@Nullable String home) {
    return home == null ? new PlugIns(List.of()) : of(Path.of(home).resolve("ext-lib"));
  }

  /**
   * Those of a folder.
   *
   * @param folder of folders with jars; need not exist
   * @throws UncheckedIOException if one cannot be read
   */
  public static PlugIns of(Path folder) {
    var loaders = new ArrayList<PlugInLoader>();
    for (Path plugIn : inside(folder, Files::isDirectory)) {
      List<Path> jars = inside(plugIn, path -> path.toString().endsWith(".jar"));
      if (!jars.isEmpty()) {
        String name = String.valueOf(plugIn.getFileName());
        URL[] urls = jars.stream().map(PlugIns::url).toArray(URL[]::new);
        loaders.add(new PlugInLoader(name, urls, PlugIns.class.getClassLoader()));
      }
    }
    return new PlugIns(loaders);
  }

  /**
   * All that implements an extension point, the class path's first, then the plug-ins' by their
   * names; made anew with each call.
   *
   * @throws ServiceConfigurationError if one cannot be made, or its jar is not for this {@link
   *     #API}
   */
  public <T> List<T> all(Class<T> point) {
    var found = new ArrayList<T>();
    ServiceLoader.load(point).stream().map(ServiceLoader.Provider::get).forEach(found::add);
    for (PlugInLoader loader : loaders) {
      for (ServiceLoader.Provider<T> provider :
          ServiceLoader.load(point, loader).stream().toList()) {
        requireApi(loader, provider.type());
        found.add(provider.get());
      }
    }
    return found;
  }

  private static void requireApi(PlugInLoader loader, Class<?> provider) {
    String told = api(provider);
    if (!Integer.toString(API).equals(told)) {
      throw new ServiceConfigurationError(
          "the plug-in %s was made for %s, this is version %d: the manifest of its jar says so (%s)"
              .formatted(
                  loader.getName(),
                  told == null ? "no version of the interfaces" : "version " + told,
                  API,
                  API_ATTRIBUTE));
    }
  }

  /** Null: its jar has no such attribute. */
  private static @Nullable String api(Class<?> provider) {
    try (var jar =
        new JarFile(
            Path.of(provider.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toFile())) {
      Manifest manifest = jar.getManifest();
      return manifest == null ? null : manifest.getMainAttributes().getValue(API_ATTRIBUTE);
    } catch (IOException | URISyntaxException unreadable) {
      throw new ServiceConfigurationError(
          "the jar of " + provider.getName() + " cannot be read: " + unreadable, unreadable);
    }
  }

  private static List<Path> inside(Path folder, Predicate<Path> wanted) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(wanted).sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("the folder " + folder + " cannot be read", unreadable);
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException never) {
      throw new IllegalStateException("a file without a URL: " + jar, never);
    }
  }
}
