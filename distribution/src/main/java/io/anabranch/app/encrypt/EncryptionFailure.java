package io.anabranch.app.encrypt;

/** Why a column cannot be encrypted, for the operator: names places and columns, no values. */
public final class EncryptionFailure extends Exception {

  private static final long serialVersionUID = 1L;

  EncryptionFailure(String message) {
    super(message);
  }

  EncryptionFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
