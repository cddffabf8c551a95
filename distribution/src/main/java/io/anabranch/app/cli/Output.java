package io.anabranch.app.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where commands print. */
final class Output {

  private Output() {}

  /**
   * @param spec given by picocli before a command runs
   */
  static PrintWriter of(@Nullable CommandSpec spec) {
    return Objects.requireNonNull(spec, "not parsed").commandLine().getOut();
  }
}
