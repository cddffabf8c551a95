package io.anabranch.frontend.command;

import io.anabranch.frontend.current.StringLiterals;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.value.SqlValue;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Parameters of COM_STMT_EXECUTE as literals, for statements that the proxy runs itself. */
final class BoundParameters {

  private static final DateTimeFormatter DATE_TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
          .toFormatter();

  private BoundParameters() {}

  /** In the order of the text. */
  static List<String> literals(SlotValues slots, Session session) {
    var literals = new ArrayList<String>();
    for (int slot = 0; slot < slots.count(); slot++) {
      if (slots.isParameter(slot)) {
        literals.add(literal(slots.value(slot), session));
      }
    }
    return literals;
  }

  private static String literal(SqlValue value, Session session) {
    return switch (value) {
      case SqlValue.Int(long number) -> Long.toString(number);
      case SqlValue.Decimal(var number) -> number.toPlainString();
      case SqlValue.Floating(double number) -> {
        String text = Double.toString(number);
        yield text.indexOf('E') < 0 ? text + "e0" : text;
      }
      case SqlValue.Text(String text) -> StringLiterals.quoted(text, session);
      case SqlValue.Bytes(byte[] bytes, boolean _) -> "x'" + HexFormat.of().formatHex(bytes) + "'";
      case SqlValue.Date(var date) -> "'" + date + "'";
      case SqlValue.DateTime(var moment) -> "'" + DATE_TIME.format(moment) + "'";
      case SqlValue.Null.NULL -> "NULL";
      case SqlValue.Unknown.UNKNOWN ->
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "a parameter of this type in a statement of the session",
              "give the value as a string");
    };
  }
}
