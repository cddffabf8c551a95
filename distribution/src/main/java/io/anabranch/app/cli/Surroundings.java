package io.anabranch.app.cli;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where commands run.
 *
 * @param home the installation: {@code conf/} is in it
 * @param logs where a running proxy says its address
 * @param environment the value of a variable; null if it is not set
 * @param input standard input
 */
record Surroundings(
    Path home, Path logs, Function<String, @Nullable String> environment, Reader input) {

  /** Of this process; {@code bin/anabranch} says where home and logs are. */
  static Surroundings ofProcess() {
    Path home = Path.of(System.getProperty("anabranch.home", "."));
    return new Surroundings(
        home,
        Path.of(System.getProperty("anabranch.logs", home.resolve("logs").toString())),
        System::getenv,
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())));
  }

  /**
   * The directory of the configuration.
   *
   * @param wanted null: the installation's
   */
  Path configuration(@Nullable Path wanted) {
    return wanted == null ? home.resolve("conf") : wanted;
  }
}
