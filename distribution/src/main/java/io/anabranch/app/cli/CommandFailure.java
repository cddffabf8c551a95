package io.anabranch.app.cli;

import java.util.List;

/** A command ends: what the operator should read, and the exit code. */
final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String text) {
    super(text, null, false, false);
    this.exitCode = exitCode;
  }

  CommandFailure(int exitCode, List<String> lines) {
    this(exitCode, String.join("\n", lines));
  }

  int exitCode() {
    return exitCode;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
