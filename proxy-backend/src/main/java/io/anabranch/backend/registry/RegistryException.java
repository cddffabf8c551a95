package io.anabranch.backend.registry;

/** The registry does not answer, or not as it should. */
public final class RegistryException extends Exception {
  private static final long serialVersionUID = 1L;

  public RegistryException(String message, Throwable cause) {
    super(message, cause);
  }
}
