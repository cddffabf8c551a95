package io.anabranch.backend.prepared;

import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.protocol.parameter.ParameterKind;
import io.anabranch.protocol.parameter.TypeHistory;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.plan.ResultColumn;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The types that a server, which keeps them, has derived for the markers of one text. What an
 * execution is answered depends on them and on those that former executions have put in their
 * place: {@link TypesOfStatement} is one such state.
 *
 * <p>A marker that is stored in a column as it stands is no part of a state while its values are
 * NULL or strings, or numbers for a column of numbers: the column converts them all the same. What
 * is settled for it is no part either, but for floating numbers in the place of exact ones and the
 * other way round.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/prepare.html">PREPARE</a>.
 */
public final class MarkerTypes {

  private static final int UNSIGNED = 32;
  private static final int BINARY = 63;

  /** Of a marker whose kind does not count. */
  static final byte ANY = -1;

  private final byte[] derived;
  private final boolean[] stored;

  private MarkerTypes(byte[] derived, boolean[] stored) {
    this.derived = derived;
    this.stored = stored;
  }

  /**
   * @param markers the definitions that COM_STMT_PREPARE was answered with
   */
  public static MarkerTypes of(List<ResultColumn> markers, byte[] sql) {
    var derived = new byte[markers.size()];
    boolean[] stored = StoredMarkers.of(sql, derived.length);
    for (int i = 0; i < derived.length; i++) {
      ResultColumn marker = markers.get(i);
      derived[i] =
          ParameterKind.derived(
              marker.type(), (marker.flags() & UNSIGNED) != 0, marker.collation() != BINARY);
      stored[i] &= convertsAll(marker.type());
    }
    return new MarkerTypes(derived, stored);
  }

  /** Whether columns of that type store a value alike, whatever it was before. */
  private static boolean convertsAll(int type) {
    return switch (ColumnType.of(type)) {
      case TINY, SHORT, LONG, LONGLONG, INT24, BOOL -> true;
      case DECIMAL, NEWDECIMAL, FLOAT, DOUBLE -> true;
      case DATE, TIME, DATETIME, TIMESTAMP -> true;
      case VARCHAR, VAR_STRING, STRING, TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB -> true;
      default -> false;
    };
  }

  /**
   * What is settled while an execution runs.
   *
   * @param wanted parameter of each marker
   * @return kinds by parameter; null: all as derived
   */
  byte @Nullable [] settle(ExecuteParameters values, int[] wanted) {
    TypeHistory history = values.history();
    return history == null
        ? TypeHistory.settle(null, values, derived, wanted)
        : history.settle(values, derived, wanted);
  }

  /** What a statement that was never executed has settled once these values are executed. */
  byte @Nullable [] settleFirst(ExecuteParameters values, int[] wanted) {
    return TypeHistory.settle(null, values, derived, wanted);
  }

  int count() {
    return derived.length;
  }

  /** Whether the server has derived the same: no column has another type now. */
  public boolean isSameAs(MarkerTypes other) {
    return Arrays.equals(derived, other.derived) && Arrays.equals(stored, other.stored);
  }

  /** Whether an execution may find in a used statement what is another one's. */
  boolean mayFindFormer(ExecuteParameters values, int[] wanted) {
    for (int marker = 0; marker < derived.length; marker++) {
      boolean isDay = derived[marker] == ParameterKind.DATE && !stored[marker];
      if (isDay && !ListedDays.isCertain(values, wanted[marker])) {
        return true;
      }
    }
    return false;
  }

  /** The kind of a value that counts; {@link ParameterKind#NULL} may be any. */
  byte counted(int marker, byte kind) {
    boolean isAny =
        kind != ParameterKind.NULL && stored[marker] && isConverted(kind, derived[marker]);
    return isAny ? ANY : kind;
  }

  /** The kind that counts of what is settled. */
  byte countedSettled(int marker, byte kind) {
    byte column = derived[marker];
    // what comes as a text becomes a number of the settled kind before the column gets it
    boolean isExact = (kind == ParameterKind.DOUBLE) == (column == ParameterKind.DOUBLE);
    boolean isAlike = isConverted(kind, column) && (isExact || !isNumber(kind));
    return stored[marker] && (isAlike || (isMoment(kind) && isMoment(column))) ? ANY : kind;
  }

  /** Whether a string may have been settled as that. */
  private static boolean isMoment(byte kind) {
    return switch (kind) {
      case ParameterKind.DATE,
          ParameterKind.TIME,
          ParameterKind.DATETIME,
          ParameterKind.OPEN,
          ParameterKind.LOST ->
          true;
      default -> false;
    };
  }

  private static boolean isConverted(byte kind, byte column) {
    return switch (kind) {
      case ParameterKind.NULL, ParameterKind.TEXT, ParameterKind.BYTES -> true;
      // others are given the number as it is written, or as it counts
      default -> isNumber(kind) && isNumber(column);
    };
  }

  private static boolean isNumber(byte kind) {
    return switch (kind) {
      case ParameterKind.SIGNED,
          ParameterKind.UNSIGNED,
          ParameterKind.DECIMAL,
          ParameterKind.DOUBLE ->
          true;
      default -> false;
    };
  }

  /** Whether what is settled comes to what was derived. */
  boolean isDerived(byte @Nullable [] settled, int[] wanted) {
    if (settled == null) {
      return true;
    }
    for (int marker = 0; marker < derived.length; marker++) {
      byte kind = settled[wanted[marker]];
      boolean isSame =
          kind == ParameterKind.NULL
              || kind == derived[marker]
              || countedSettled(marker, kind) == ANY;
      if (!isSame) {
        return false;
      }
    }
    return true;
  }

  /** Whether two executions meet the same types. */
  boolean areSame(byte @Nullable [] one, byte @Nullable [] other, int[] wanted) {
    if (one == null || other == null) {
      return isDerived(one, wanted) && isDerived(other, wanted);
    }
    if (isDerived(one, wanted)) {
      return isDerived(other, wanted);
    }
    for (int marker = 0; marker < derived.length; marker++) {
      int parameter = wanted[marker];
      if (countedSettled(marker, one[parameter]) != countedSettled(marker, other[parameter])) {
        return false;
      }
    }
    return true;
  }
}
