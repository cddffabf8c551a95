package io.anabranch.rules.plan;

import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The unique keys of a sharded table, in the order in which a server looks at them, and how each
 * node is asked whether it has a row of a key. Immutable, thread-safe.
 */
public interface KeyCheck {

  /** How many unique keys the table has. */
  int keys();

  /** Whether rows of other nodes may have the same values of a key. */
  boolean isShared(int key);

  /** In the order of the table's nodes. */
  List<String> dataSources();

  /**
   * What is true of a row that has the key of the given one, as SQL in ASCII.
   *
   * @param values column position in the row to the value there; one more than the row's width for
   *     a key that the proxy makes
   * @return null where no row can have it: a part is NULL, or the proxy has made it
   * @throws io.anabranch.rules.error.RefusedException if nobody knows what will be stored
   */
  byte @Nullable [] condition(int key, IntFunction<SqlValue> values);

  /**
   * Asks a node for a row of which one of the conditions is true, and locks what it finds, or the
   * place where it would be, against others.
   */
  ShardQuery question(int node, List<byte[]> conditions);

  /** Asks for what a row has in the columns of a key, as messages of duplicates show it. */
  ShardQuery entry(int node, int key, byte[] condition);

  /** A key as messages of duplicates call it. */
  String name(int key);

  /** Whether a duplicate is an error: no IGNORE, REPLACE or ON DUPLICATE KEY UPDATE. */
  boolean isPlain();

  /** Removes the rows of which one of the conditions is true from a node. */
  ShardQuery removal(int node, List<byte[]> conditions);
}
