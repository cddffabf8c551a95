package io.anabranch.app.cluster;

/** A proxy that cannot join its cluster, and has nothing of its own to start with. */
public final class JoinException extends Exception {
  private static final long serialVersionUID = 1L;

  JoinException(String message) {
    super(message);
  }

  JoinException(String message, Throwable cause) {
    super(message, cause);
  }
}
