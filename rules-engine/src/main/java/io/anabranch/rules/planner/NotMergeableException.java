package io.anabranch.rules.planner;

/** Thrown while a scatter plan is built, caught where it is asked for. */
final class NotMergeableException extends RuntimeException {

  private static final long serialVersionUID = 1L;
  private final transient Refusal refusal;

  NotMergeableException(String construct, String wayOut) {
    super(construct, null, false, false);
    this.refusal = new Refusal(construct, wayOut);
  }

  Refusal refusal() {
    return refusal;
  }
}
