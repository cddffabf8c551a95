package io.anabranch.rules.planner;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The column that a key generator fills.
 *
 * @param column lower-case name
 * @param zeroGenerates whether 0 asks for a key, as it does for AUTO_INCREMENT
 */
record KeyColumn(String column, KeyGenerator generator, boolean zeroGenerates) {

  /**
   * Whether the proxy writes the row's key whatever the values: all but parameters, expressions.
   */
  static boolean isWritten(@Nullable RowValue value, IntPredicate parameter) {
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
  GeneratedKeys fill(List<Map<String, RowValue>> rows, SlotValues client) {
    var keys = new SqlValue[rows.size()];
    var texts = new byte[rows.size()][];
    long first = 0;
    boolean replaces = false;
    for (int row = 0; row < keys.length; row++) {
      RowValue value = rows.get(row).get(column);
      SqlValue given = value == null ? SqlValue.Null.NULL : value.bind(client);
      if (isWanted(given)) {
        refuseComputed(value);
        keys[row] = generator.next();
        texts[row] = SqlLiterals.of(keys[row]);
        replaces |= !isWritten(value, client::isParameter);
        if (first == 0 && keys[row] instanceof SqlValue.Int number) {
          first = number.value();
        }
      } else {
        keys[row] = given == null ? SqlValue.Unknown.UNKNOWN : given;
        texts[row] = text(value, keys[row], client);
      }
    }
    return new GeneratedKeys(client, keys, texts, first, replaces);
  }

  private void refuseComputed(@Nullable RowValue value) {
    if (value instanceof RowValue.Computed) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "an expression asks for a generated value of column '" + column + "'", "write NULL");
    }
  }

  /** Whether a row that gives this value is given a key. */
  boolean isWanted(@Nullable SqlValue given) {
    return given == SqlValue.Null.NULL
        || (zeroGenerates && given instanceof SqlValue.Int number && number.value() == 0);
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
