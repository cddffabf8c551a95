package io.anabranch.app;

/** The proxy cannot start for a reason that the operator can cure; the message says how. */
final class StartException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Exit code for a configuration with problems (EX_CONFIG of sysexits.h). */
  static final int CONFIGURATION = 78;

  /** Exit code for everything else. */
  static final int FAILED = 1;

  private final int exitCode;

  StartException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  StartException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
