package io.anabranch.backend.prepared;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.parameter.ParameterKind;
import org.jspecify.annotations.Nullable;

/**
 * The types that one statement of a connection has been executed with: only executions that have
 * the same, and would have found the same settled, may have it. A type that no execution has shown,
 * because its values were NULL, may be any. On the event loop of the connection.
 */
public final class TypesOfStatement {

  private static final byte[] NO_MARKERS = {};

  private final MarkerTypes markers;
  private byte @Nullable [] settled;
  private byte @Nullable [] shown;

  /** Of a statement that nobody has executed. */
  public TypesOfStatement(MarkerTypes markers) {
    this.markers = markers;
  }

  /** Whether somebody has executed it. */
  public boolean isUsed() {
    return shown != null;
  }

  /**
   * Whether it is the statement for an execution, which then becomes one of its.
   *
   * @param wanted parameter of each marker
   */
  public boolean takes(ExecuteParameters values, int[] wanted) {
    byte[] known = shown;
    if (known == null) {
      return false;
    }
    if (known.length != wanted.length) {
      return known.length == 0;
    }
    for (int marker = 0; marker < known.length; marker++) {
      byte kind = markers.counted(marker, values.kind(wanted[marker]));
      boolean isOpen = kind == ParameterKind.NULL || known[marker] == ParameterKind.NULL;
      if (kind != known[marker] && !isOpen) {
        return false;
      }
    }
    if (markers.mayFindFormer(values, wanted)
        || !isSettled(markers.settle(values, wanted), wanted)) {
      return false;
    }
    show(known, values, wanted);
    return true;
  }

  /** By marker here, by parameter there. */
  private boolean isSettled(byte @Nullable [] wished, int[] wanted) {
    byte[] own = settled;
    if (own == null) {
      return markers.isDerived(wished, wanted);
    }
    if (wished == null || markers.isDerived(wished, wanted)) {
      return false;
    }
    for (int marker = 0; marker < own.length; marker++) {
      boolean isKnown = own[marker] != ParameterKind.OPEN;
      if (!isKnown || own[marker] != markers.countedSettled(marker, wished[wanted[marker]])) {
        return false;
      }
    }
    return true;
  }

  private void show(byte[] known, ExecuteParameters values, int[] wanted) {
    for (int marker = 0; marker < known.length; marker++) {
      if (known[marker] == ParameterKind.NULL) {
        known[marker] = markers.counted(marker, values.kind(wanted[marker]));
      }
    }
  }

  /**
   * The first execution: what it settles is this statement's from then on.
   *
   * @return whether the server does the same by itself; if not, it must be executed with {@link
   *     #missing} first
   */
  public boolean use(ExecuteParameters values, int[] wanted) {
    if (markers.count() != wanted.length) {
      // the server counts markers otherwise: it will say so
      shown = NO_MARKERS;
      return true;
    }
    byte[] wished = markers.settle(values, wanted);
    var known = new byte[markers.count()];
    show(known, values, wanted);
    shown = known;
    settled = null;
    if (wished != null && !markers.isDerived(wished, wanted)) {
      var own = new byte[known.length];
      for (int marker = 0; marker < own.length; marker++) {
        own[marker] = markers.countedSettled(marker, wished[wanted[marker]]);
      }
      settled = own;
    }
    return markers.areSame(wished, markers.settleFirst(values, wanted), wanted);
  }

  /** Whether its types are others than those that the server has derived. */
  public boolean isChanged() {
    return settled != null;
  }

  /**
   * Parameters whose execution brings a statement that was never executed to where an execution
   * wants it; null: none does.
   */
  public @Nullable ExecuteParameters missing(ExecuteParameters values, int[] wanted) {
    byte[] wished = markers.settle(values, wanted);
    if (wished == null) {
      return null;
    }
    ExecuteParameters first = PrimingValues.of(wished);
    return markers.areSame(wished, markers.settleFirst(first, wanted), wanted) ? first : null;
  }
}
