package io.anabranch.frontend.tls;

import org.jspecify.annotations.Nullable;

/** TLS is wanted but cannot be had as configured; the message names the property. */
public final class TlsException extends Exception {

  private static final long serialVersionUID = 1L;

  TlsException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
