package io.anabranch.rules.placement;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The column that a key generator fills.
 *
 * @param column lower-case name
 * @param numbered if 0 asks for a key, as it does for AUTO_INCREMENT; else null
 */
public record KeyColumn(String column, KeyGenerator generator, @Nullable NumberedColumn numbered) {

  /**
   * What a table's generator fills; null: it has none.
   *
   * @param forms of all columns, by their lower-case names
   * @param autoIncrement lower-case name of the column that databases number; null: none
   * @param zeroGenerates whether 0 asks for a number in this session
   * @throws io.anabranch.rules.error.RefusedException if there is no such column
   */
  public static @Nullable KeyColumn of(
      ShardedTable table,
      Map<String, StoredForm> forms,
      @Nullable String autoIncrement,
      boolean zeroGenerates) {
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    if (generation == null) {
      return null;
    }
    String column = generation.column().toLowerCase(Locale.ROOT);
    StoredForm form = forms.get(column);
    if (form == null) {
      throw ErrorCatalogue.UNKNOWN_COLUMN.refuse(generation.column(), "keyGenerateStrategy");
    }
    boolean isNumbered = column.equals(autoIncrement);
    return new KeyColumn(
        column, generation.generator(), isNumbered ? NumberedColumn.of(form, zeroGenerates) : null);
  }

  /**
   * Whether the proxy writes the row's key whatever the values: all but parameters, expressions.
   */
  public static boolean isWritten(@Nullable RowValue value, IntPredicate parameter) {
    return switch (value) {
      case null -> true;
      case RowValue.Slot slot -> !parameter.test(slot.slot());
      case RowValue.Constant ignored -> true;
      case RowValue.Default ignored -> true;
      case RowValue.Computed ignored -> false;
      case RowValue.Opaque ignored -> false;
    };
  }

  /** The keys of all rows and their text. */
  public GeneratedKeys fill(KnownRows rows, SlotValues client) {
    var keys = new SqlValue[rows.size()];
    var wanted = new BitSet();
    boolean replaces = false;
    for (int row = 0; row < keys.length; row++) {
      RowValue value = rows.get(row, column);
      SqlValue given = value == null ? SqlValue.Null.NULL : value.bind(client);
      boolean isBound = given != SqlValue.Unknown.UNKNOWN || client.isBound();
      if (isBound && isWanted(given)) {
        refuseComputed(value);
        wanted.set(row);
        replaces |= !isWritten(value, client::isParameter);
      }
      keys[row] = given == null ? SqlValue.Unknown.UNKNOWN : given;
    }
    long first = wanted.isEmpty() ? 0 : make(keys, wanted);
    var texts = new byte[keys.length][];
    for (int row = 0; row < keys.length; row++) {
      texts[row] =
          wanted.get(row)
              ? SqlLiterals.of(keys[row])
              : text(rows.get(row, column), keys[row], client);
    }
    return new GeneratedKeys(client, keys, texts, wanted, first, replaces);
  }

  /** Puts new keys where they are wanted and tells the first number; 0 if they are no numbers. */
  private long make(SqlValue[] keys, BitSet wanted) {
    List<SqlValue> made = generator.next(wanted.cardinality());
    int next = 0;
    for (int row = wanted.nextSetBit(0); row >= 0; row = wanted.nextSetBit(row + 1)) {
      keys[row] = made.get(next++);
    }
    return made.getFirst() instanceof SqlValue.Int number ? number.value() : 0;
  }

  private void refuseComputed(@Nullable RowValue value) {
    if (value instanceof RowValue.Computed) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "an expression asks for a generated value of column '" + column + "'", "write NULL");
    }
  }

  /** Whether a row that gives this value is given a key. */
  public boolean isWanted(@Nullable SqlValue given) {
    return isWanted(given, numbered);
  }

  /**
   * The same of any column that NULL asks to be numbered.
   *
   * @param numbered if 0 does so, too
   * @throws io.anabranch.rules.error.RefusedException if nobody knows whether it is stored as 0
   */
  public static boolean isWanted(@Nullable SqlValue given, @Nullable NumberedColumn numbered) {
    return given == SqlValue.Null.NULL
        || (given != null && numbered != null && numbered.isZero(given));
  }

  private static byte[] text(@Nullable RowValue value, SqlValue key, SlotValues client) {
    if (!(value instanceof RowValue.Slot slot) || client.isParameter(slot.slot())) {
      return SqlLiterals.of(key);
    }
    var out = new SqlBuffer(client.length(slot.slot()) + 1);
    if (slot.negative()) {
      out.append((byte) '-');
    }
    client.appendTo(slot.slot(), out);
    return out.take();
  }
}
