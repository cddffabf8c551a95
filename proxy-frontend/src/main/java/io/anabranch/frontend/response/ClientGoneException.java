package io.anabranch.frontend.response;

/** The client's connection closed while rows were written to it: the statement is cancelled. */
public final class ClientGoneException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ClientGoneException() {
    super("client is gone", null, false, false);
  }
}
