package io.anabranch.rules.planner;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.SlotValues;
import io.anabranch.rules.plan.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The column that a key generator fills.
 *
 * @param column lower-case name
 * @param zeroGenerates whether 0 asks for a key, as it does for AUTO_INCREMENT
 */
record KeyColumn(String column, KeyGenerator generator, boolean zeroGenerates) {

  /** Whether the proxy writes the row's key: all but parameters and expressions. */
  static boolean isWritten(@Nullable RowValue value, java.util.function.IntPredicate parameter) {
    return switch (value) {
      case null -> true;
      case RowValue.Slot slot -> !parameter.test(slot.slot());
      case RowValue.Constant ignored -> true;
      case RowValue.Default ignored -> true;
      case RowValue.Opaque ignored -> false;
    };
  }

  /** The keys of all rows and their text. */
  GeneratedKeys fill(List<Map<String, RowValue>> rows, SlotValues client) {
    var keys = new SqlValue[rows.size()];
    var texts = new byte[rows.size()][];
    long first = 0;
    for (int row = 0; row < keys.length; row++) {
      RowValue value = rows.get(row).get(column);
      SqlValue given = value == null ? SqlValue.Null.NULL : value.bind(client);
      if (!isWanted(given)) {
        keys[row] = given == null ? SqlValue.Unknown.UNKNOWN : given;
        texts[row] = text(value, keys[row], client);
      } else if (!isWritten(value, client::isParameter)) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a generated key in the place of a parameter",
            "leave column '" + column + "' out or give it a value");
      } else {
        keys[row] = generator.next();
        texts[row] = literal(keys[row]).getBytes(StandardCharsets.UTF_8);
        if (first == 0 && keys[row] instanceof SqlValue.Int number) {
          first = number.value();
        }
      }
    }
    return new GeneratedKeys(client, keys, texts, first);
  }

  private boolean isWanted(@Nullable SqlValue given) {
    return given == SqlValue.Null.NULL
        || (zeroGenerates && given instanceof SqlValue.Int number && number.value() == 0);
  }

  private static byte[] text(@Nullable RowValue value, SqlValue key, SlotValues client) {
    if (!(value instanceof RowValue.Slot slot)) {
      return literal(key).getBytes(StandardCharsets.UTF_8);
    }
    var out = new SqlBuffer(client.length(slot.slot()) + 1);
    if (slot.negative()) {
      out.append((byte) '-');
    }
    client.appendTo(slot.slot(), out);
    return out.take();
  }

  private static String literal(SqlValue key) {
    return switch (key) {
      case SqlValue.Int number -> Long.toString(number.value());
      case SqlValue.Decimal number -> number.value().toPlainString();
      case SqlValue.Text text -> "'" + text.value().replace("\\", "\\\\").replace("'", "''") + "'";
      case SqlValue.Floating number -> Double.toString(number.value());
      case SqlValue.Date date -> "'" + date.value() + "'";
      case SqlValue.DateTime time -> "'" + time.value().toString().replace('T', ' ') + "'";
      case SqlValue.Bytes bytes -> "x'" + java.util.HexFormat.of().formatHex(bytes.value()) + "'";
      case SqlValue.Null ignored -> "NULL";
      case SqlValue.Unknown ignored -> "NULL";
    };
  }
}
