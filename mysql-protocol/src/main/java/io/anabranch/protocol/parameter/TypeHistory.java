package io.anabranch.protocol.parameter;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the executions of one client's prepared statement have left of the types of its parameters,
 * as MySQL (8.0.22 and later) keeps them: those that it derived from the statement's text, or, once
 * an execution had values of types that those do not take, the types of that execution. A server
 * keeps that per handle; the proxy's statements are shared, so the handle's is kept here.
 *
 * <p>On the session's event loop.
 */
public final class TypeHistory {

  private byte @Nullable [] settled;
  private boolean isDecided;

  /** An execution begins. */
  public void begin() {
    isDecided = false;
  }

  /**
   * What the statement's types are while an execution runs: asked again for the same execution, by
   * other connections that do a part of it, the answer stays.
   *
   * @param values of the execution
   * @param derived kinds by marker, as the server derived them from the text
   * @param wanted parameter of each marker
   * @return kinds by parameter, {@link ParameterKind#NULL} where nothing was decided; null: all as
   *     derived. Not to be modified
   */
  public byte @Nullable [] settle(TypedParameters values, byte[] derived, int[] wanted) {
    if (!isDecided) {
      isDecided = true;
      settled = settle(settled, values, derived, wanted);
    }
    return settled;
  }

  /**
   * The same for a statement without a history.
   *
   * @param before what was settled; null: nothing
   */
  public static byte @Nullable [] settle(
      byte @Nullable [] before, TypedParameters values, byte[] derived, int[] wanted) {
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      byte resolved = resolved(before, derived[marker], parameter);
      byte actual = ParameterKind.converted(resolved, values, parameter);
      if (!ParameterKind.takes(resolved, actual, values, parameter)) {
        byte[] now = actual(before, values, derived, wanted);
        return Arrays.equals(now, before) ? before : now;
      }
    }
    return before;
  }

  private static byte resolved(byte @Nullable [] before, byte derived, int parameter) {
    byte known = before == null ? ParameterKind.NULL : before[parameter];
    return known == ParameterKind.NULL ? derived : known;
  }

  /** All values count as what the statement's types make of them. */
  private static byte[] actual(
      byte @Nullable [] before, TypedParameters values, byte[] derived, int[] wanted) {
    byte[] kinds = new byte[values.count()];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = values.kind(i);
    }
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      byte resolved = resolved(before, derived[marker], parameter);
      byte actual = ParameterKind.converted(resolved, values, parameter);
      boolean isOutside =
          resolved == ParameterKind.YEAR
              && !ParameterKind.takes(resolved, actual, values, parameter)
              && (actual == ParameterKind.TEXT || actual == ParameterKind.BYTES);
      kinds[parameter] = isOutside ? ParameterKind.DECIMAL : actual;
    }
    return kinds;
  }
}
