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

  /** What a server has settled by an execution that could not be done here; null: nothing else. */
  private byte @Nullable [] afterwards;

  /** By parameter: the kinds that parts of the execution have run with; NULL: none has asked. */
  private byte[] ran = NONE;

  /** And those that they would have run with but for the execution itself. */
  private byte[] had = NONE;

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
    if (afterwards != null) {
      settled = afterwards;
      afterwards = null;
    }
    byte[] known = settled;
    for (int i = 0; known != null && i < known.length; i++) {
      // other executions may have the same array
      settled = known[i] == ParameterKind.OPEN ? lost(known) : settled;
    }
  }

  private static byte[] lost(byte[] kinds) {
    byte[] lost = kinds.clone();
    for (int i = 0; i < lost.length; i++) {
      lost[i] = lost[i] == ParameterKind.OPEN ? ParameterKind.LOST : lost[i];
    }
    return lost;
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
      had = new byte[values.count()];
      settled = settle(before, values, derived, wanted);
    } else if (hasMore(wanted)) {
      settled = withMore(values, derived, wanted);
    }
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      ran[parameter] = resolved(settled, derived[marker], parameter);
      had[parameter] = resolved(before, derived[marker], parameter);
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
   * change the types, that must be without effect on what has run: if not, nothing can be run here.
   */
  private byte @Nullable [] withMore(TypedParameters values, byte[] derived, int[] wanted) {
    boolean isAnew = !Arrays.equals(settled, before);
    byte[] alone = isAnew ? settled : settle(before, values, derived, wanted);
    if (!isAnew && Arrays.equals(alone, before)) {
      return settled;
    }
    if (alone != null && isUnknown(alone, wanted)) {
      afterwards = all(values.count(), ParameterKind.LOST);
      return afterwards;
    }
    byte[] kinds = actual(before, values, derived, wanted);
    boolean isPossible = true;
    boolean areAllKnown = true;
    for (int parameter = 0; parameter < kinds.length; parameter++) {
      if (ran[parameter] != ParameterKind.NULL) {
        byte counted = ParameterKind.converted(had[parameter], values, parameter);
        byte kind = isAnew ? resolved(settled, ran[parameter], parameter) : known(before, counted);
        isPossible &= kind == ParameterKind.NULL || kind == ran[parameter];
        kinds[parameter] = kind;
      } else if (!isAny(wanted, parameter)) {
        areAllKnown = false;
      }
    }
    if (isPossible) {
      return kinds;
    }
    byte[] lost = all(values.count(), ParameterKind.LOST);
    afterwards = areAllKnown ? kinds : lost;
    return lost;
  }

  /** Whether nobody here knows what parameters are that no part has had. */
  private boolean isUnknown(byte[] kinds, int[] wanted) {
    for (int parameter : wanted) {
      boolean isOpen =
          kinds[parameter] == ParameterKind.OPEN || kinds[parameter] == ParameterKind.LOST;
      if (isOpen && ran[parameter] == ParameterKind.NULL) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAny(int[] wanted, int parameter) {
    for (int each : wanted) {
      if (each == parameter) {
        return true;
      }
    }
    return false;
  }

  private static byte[] all(int count, byte kind) {
    byte[] kinds = new byte[count];
    Arrays.fill(kinds, kind);
    return kinds;
  }

  /**
   * The execution was refused, where a server would have settled what all its values come to: if
   * parts that have not been asked have some of them, nobody here knows what that is.
   */
  public void refused() {
    for (int parameter = 0; isDecided && parameter < ran.length; parameter++) {
      if (ran[parameter] == ParameterKind.NULL) {
        afterwards = all(ran.length, ParameterKind.LOST);
      }
    }
  }

  /**
   * The same for a statement without a history.
   *
   * @param before what was settled; null: nothing
   */
  public static byte @Nullable [] settle(
      byte @Nullable [] before, TypedParameters values, byte[] derived, int[] wanted) {
    boolean isUnknown = false;
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      byte resolved = resolved(before, derived[marker], parameter);
      boolean wasMoment =
          before != null
              && ParameterKind.isMoment(before[parameter])
              && ParameterKind.isMoment(derived[marker]);
      if (!wasMoment && ParameterKind.takesAnyway(resolved, values.kind(parameter))) {
        continue;
      }
      byte actual = ParameterKind.converted(resolved, values, parameter);
      if (!ParameterKind.takes(resolved, actual, values, parameter)) {
        byte[] now = actual(before, values, derived, wanted);
        return Arrays.equals(now, before) ? before : now;
      }
      boolean mayBeAnew = resolved == ParameterKind.DATE && actual == ParameterKind.WIDE;
      boolean isMoment = ParameterKind.isMoment(actual) || actual == ParameterKind.NULL;
      isUnknown |= mayBeAnew || (wasMoment && !isMoment);
    }
    return isUnknown ? unknown(before, values) : before;
  }

  /**
   * Whether the types are settled anew is for the server to say; or what it takes, beside a column
   * of times, for a value that is none where one was settled: it may be that of the former
   * execution.
   */
  private static byte[] unknown(byte @Nullable [] before, TypedParameters values) {
    return all(values.count(), before == null ? ParameterKind.OPEN : ParameterKind.LOST);
  }

  /** A statement that nobody has executed comes to the same by itself, others to what is lost. */
  private static byte known(byte @Nullable [] before, byte kind) {
    boolean isOpen = kind == ParameterKind.OPEN || kind == ParameterKind.WIDE;
    return !isOpen ? kind : before == null ? ParameterKind.OPEN : ParameterKind.LOST;
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
      kinds[parameter] = isOutside ? ParameterKind.DECIMAL : known(before, actual);
    }
    return kinds;
  }
}
