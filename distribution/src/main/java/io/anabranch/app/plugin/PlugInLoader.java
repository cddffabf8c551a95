package io.anabranch.app.plugin;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * Classes of one plug-in: its own jars, Java's, and of the proxy's those of Anabranch and SLF4J
 * alone. What other libraries the proxy has, and in which version, is none of a plug-in's.
 */
final class PlugInLoader extends URLClassLoader {

  private static final List<String> SHARED =
      List.of("io.anabranch.", "org.slf4j.", "org.jspecify.");

  private final ClassLoader proxy;

  /**
   * @param name the plug-in's, in stack traces
   */
  PlugInLoader(String name, URL[] jars, ClassLoader proxy) {
    super(name, jars, ClassLoader.getPlatformClassLoader());
    this.proxy = proxy;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    // its own classes may be called so, too: the proxy's come first
    if (SHARED.stream().anyMatch(name::startsWith)) {
      try {
        return proxy.loadClass(name);
      } catch (ClassNotFoundException own) {
        return super.findClass(name);
      }
    }
    return super.findClass(name);
  }
}
