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

  private static final byte[] NONE = {};

  private byte @Nullable [] settled;
  private boolean isDecided;

  /** What was settled when the execution began. */
  private byte @Nullable [] before;

  /** By parameter: the kinds that parts of the execution have run with; NULL: none has asked. */
  private byte[] ran = NONE;

  /** What their values count as where all types are settled anew. */
  private byte[] counted = NONE;

  /** Whether executions have changed nothing: its types are those of its text. */
  public boolean areAsDerived() {
    return settled == null;
  }

  /**
   * What a parameter counts as: of the former executions, or of this one as soon as it has settled
   * something.
   *
   * @return a kind of {@link ParameterKind}; {@link ParameterKind#NULL}: as its text says
   */
  public byte settled(int parameter) {
    byte[] known = settled;
    return known == null ? ParameterKind.NULL : known[parameter];
  }

  /** An execution begins. */
  public void begin() {
    isDecided = false;
  }

  /**
   * What the statement's types are while an execution runs: asked again for the same execution, by
   * other connections that do a part of it, the answer stays, unless these have values that the
   * parts before had not.
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
      before = settled;
      ran = new byte[values.count()];
      counted = new byte[values.count()];
      settled = settle(before, values, derived, wanted);
    } else if (hasMore(wanted)) {
      settled = withMore(values, derived, wanted);
    }
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      ran[parameter] = resolved(settled, derived[marker], parameter);
      byte resolved = resolved(before, derived[marker], parameter);
      counted[parameter] = ParameterKind.converted(resolved, values, parameter);
    }
    return settled;
  }

  private boolean hasMore(int[] wanted) {
    for (int parameter : wanted) {
      if (ran[parameter] == ParameterKind.NULL) {
        return true;
      }
    }
    return false;
  }

  /**
   * The values of one list go to several nodes, and a server looks at all of them: where those here
   * change the types, that must be without effect on what has run.
   */
  private byte @Nullable [] withMore(TypedParameters values, byte[] derived, int[] wanted) {
    boolean isAnew = !Arrays.equals(settled, before);
    if (!isAnew && Arrays.equals(settle(before, values, derived, wanted), before)) {
      return settled;
    }
    byte[] kinds = actual(before, values, derived, wanted);
    for (int parameter = 0; parameter < kinds.length; parameter++) {
      if (ran[parameter] != ParameterKind.NULL) {
        byte kind = isAnew ? resolved(settled, ran[parameter], parameter) : counted[parameter];
        if (kind != ParameterKind.NULL && kind != ran[parameter]) {
          return settled;
        }
        kinds[parameter] = kind;
      }
    }
    return kinds;
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
          ParameterKind.isColumns(resolved)
              && !ParameterKind.takes(resolved, actual, values, parameter)
              && (actual == ParameterKind.TEXT || actual == ParameterKind.BYTES);
      kinds[parameter] = isOutside ? ParameterKind.DECIMAL : actual;
    }
    return kinds;
  }
}
