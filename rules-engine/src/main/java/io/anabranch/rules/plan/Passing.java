package io.anabranch.rules.plan;

import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One server changes rows one after the other, and none may take the key of one whose turn is yet
 * to come: what tells such rows of an UPDATE over shards. Immutable.
 *
 * @param keys those that change
 * @param ordered whether the values come in the order in which a server changes the rows
 */
public record Passing(List<Key> keys, boolean ordered) {

  public Passing {
    keys = List.copyOf(keys);
  }

  /**
   * A primary or unique key.
   *
   * @param before the key of a row of the values
   * @param behind the one that it gets
   * @param name as a server tells it
   */
  public record Key(Reader before, Reader behind, String name) {}

  /** Reads a key; null: it has a NULL, and is like no other. */
  @FunctionalInterface
  public interface Reader {
    @Nullable Value of(IntFunction<SqlValue> values);
  }

  /**
   * What is known of a key's value.
   *
   * @param text as servers write it: equal texts are equal keys, if {@code told}
   * @param sure of the parts that are equal only where they are the same; null: not known of this
   *     row
   * @param folded of the other parts, so that what may be equal is the same
   * @param told whether all parts are known; else those that are not are in neither of them
   */
  public record Value(String text, @Nullable String sure, String folded, boolean told) {}
}
