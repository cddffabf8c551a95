package io.anabranch.protocol.message;

/** What messages are that came in one piece each. */
public final class WholeMessages {

  private WholeMessages() {}

  public static ResultSetState.Kind kind(ResultSetState state, int firstByte, int length) {
    return state.kind(firstByte, length);
  }
}
