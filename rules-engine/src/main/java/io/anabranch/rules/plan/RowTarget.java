package io.anabranch.rules.plan;

import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What rows that are read become: parts of statements that change a table, some rows a statement.
 * The text of a row is {@code pieces[0] value pieces[1] value … pieces[n]}, the values as literals.
 *
 * @param statements by node; what stands around the rows
 * @param pieces one more than {@code columns}
 * @param columns positions of the values in the row; the row's width for a generated key
 * @param separator between the rows of one statement
 * @param mostRows of one statement
 * @param placer tells the node of a row
 * @param keys fills a column; null: there is nothing to fill
 * @param onceBy positions of values that tell rows apart: of rows with the same ones the first
 *     counts; empty: all count
 * @param stored what the first values are stored in; of the others nothing is known, or they are
 *     compared
 */
public record RowTarget(
    List<Around> statements,
    List<byte[]> pieces,
    int[] columns,
    byte[] separator,
    int mostRows,
    RowPlacer placer,
    @Nullable Keys keys,
    int[] onceBy,
    List<StoredIn> stored) {

  private static final byte[] SELECT = " SELECT ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FROM_DUAL =
      " FROM DUAL WHERE TRUE".getBytes(StandardCharsets.US_ASCII);

  public RowTarget {
    statements = List.copyOf(statements);
    pieces = List.copyOf(pieces);
    stored = List.copyOf(stored);
    if (pieces.size() != columns.length + 1) {
      throw new IllegalArgumentException("pieces do not fit the columns");
    }
  }

  /** Of values that go back into the columns that they come from, or are compared. */
  public RowTarget(
      List<Around> statements,
      List<byte[]> pieces,
      int[] columns,
      byte[] separator,
      int mostRows,
      RowPlacer placer,
      @Nullable Keys keys,
      int[] onceBy) {
    this(statements, pieces, columns, separator, mostRows, placer, keys, onceBy, List.of());
  }

  /** What the value of that number is stored in. */
  public StoredIn stored(int value) {
    return value < stored.size() ? stored.get(value) : StoredIn.ANY;
  }

  /**
   * Appends a row that shares the client's statement with others and is alone in the one of its
   * node, as a query: VALUES with a single row are an error where several, or a query, are warned
   * of (NULL for NOT NULL without strict mode, and CHECK under IGNORE on MariaDB).
   *
   * @param row the values between parentheses, the word {@code ROW} in front of them or not
   */
  public static void appendQuery(SqlBuffer out, byte[] row) {
    int open = 0;
    while (row[open] != '(') {
      open++;
    }
    out.append(SELECT);
    out.append(row, open + 1, row.length - 2 - open);
    out.append(FROM_DUAL);
  }

  /** The same with its statements. */
  public RowTarget with(List<Around> around) {
    return new RowTarget(
        around, pieces, columns, separator, mostRows, placer, keys, onceBy, stored);
  }

  /**
   * The text around the rows, for one node.
   *
   * @param query the head in front of a row that is written as a query where no other row is in the
   *     statement, with as many parameters; null: it stays with the head
   * @param parameters of the client, for each {@code ?} in {@code head} and then in {@code tail}
   */
  public record Around(
      String dataSource, byte[] head, byte @Nullable [] query, byte[] tail, int[] parameters) {}

  /**
   * @param column position in the row; its width where the row does not have the column
   * @param least by node, how the question for the least of some keys that are there begins: keys
   *     as literals and {@link #behindLeast} follow
   */
  public record Keys(int column, KeySource source, List<byte[]> least) {
    public Keys {
      least = List.copyOf(least);
    }

    /** The end of the question; its answer is there whatever sql_select_limit is. */
    public static byte[] behindLeast() {
      return ") LIMIT 1".getBytes(StandardCharsets.US_ASCII);
    }
  }

  /** Makes keys. Thread-safe. */
  @FunctionalInterface
  public interface KeySource {

    /**
     * @param given what the row has
     * @return the key in its place; null if what is given stays
     */
    @Nullable SqlValue fill(SqlValue given);
  }
}
