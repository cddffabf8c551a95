package io.anabranch.app.convert;

/** A file of the other proxy cannot be read; the message says which, where, and why. */
public final class ConversionException extends Exception {

  private static final long serialVersionUID = 1L;

  ConversionException(String message) {
    super(message);
  }

  ConversionException(String message, Throwable cause) {
    super(message, cause);
  }
}
