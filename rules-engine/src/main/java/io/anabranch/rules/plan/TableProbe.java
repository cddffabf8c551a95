package io.anabranch.rules.plan;

import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question of CHECK TABLE … ACROSS SHARDS: rows that are read to their end, and what they mean.
 *
 * @param table as the answer calls it
 * @param rows null: nothing has to be read
 * @param reading made anew for each run
 */
public record TableProbe(String table, @Nullable PlanNode rows, Supplier<Reading> reading) {

  /** What was found, as CHECK TABLE tells it: {@code error}, {@code warning}, {@code note}. */
  public record Finding(String type, String text) {}

  /** Holds little, however many rows there are. Used by one thread. */
  public interface Reading {

    /** Takes a row: column position to value. */
    void row(IntFunction<SqlValue> values);

    /** After the last row. */
    List<Finding> findings();

    /** What is to be asked then; null: nothing more. */
    default @Nullable TableProbe next() {
      return null;
    }
  }

  /** What is known without asking. */
  public static TableProbe told(String table, List<Finding> findings) {
    return new TableProbe(
        table,
        null,
        () ->
            new Reading() {
              @Override
              public void row(IntFunction<SqlValue> values) {}

              @Override
              public List<Finding> findings() {
                return findings;
              }
            });
  }
}
