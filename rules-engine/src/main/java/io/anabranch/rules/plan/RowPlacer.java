package io.anabranch.rules.plan;

import io.anabranch.rules.value.SqlValue;
import java.util.function.IntFunction;

/** Finds the node of a row by the row's values. Immutable; called by the thread that writes. */
@FunctionalInterface
public interface RowPlacer {

  /** The row goes to every node: broadcast tables. */
  int EVERYWHERE = -1;

  /** The row stays out. */
  int NOWHERE = -2;

  /**
   * @param values column position in the row to the value there
   * @return position in {@link RowTarget#statements}, {@link #EVERYWHERE} or {@link #NOWHERE}
   * @throws io.anabranch.rules.error.RefusedException if the row has no place
   */
  int node(IntFunction<SqlValue> values);
}
