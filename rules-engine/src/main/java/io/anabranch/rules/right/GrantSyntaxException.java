package io.anabranch.rules.right;

/** A text that is no grant. The message says why. */
public final class GrantSyntaxException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String cure;

  GrantSyntaxException(String reason, String cure) {
    super(reason);
    this.cure = cure;
  }

  /** What to write instead. */
  public String cure() {
    return cure;
  }
}
