package io.anabranch.rules.error;

/** Thrown while a scatter plan is built, caught where it is asked for. */
public final class NotMergeableException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private final transient Refusal refusal;

  public NotMergeableException(String construct, String wayOut) {
    super(construct, null, false, false);
    this.refusal = new Refusal(construct, wayOut);
  }

  public Refusal refusal() {
    return refusal;
  }
}
