package io.anabranch.rules.config.document;

/** A file is written in a way that does not let this part be changed alone. */
public final class UneditableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UneditableException(String message) {
    super(message, null, false, false);
  }
}
