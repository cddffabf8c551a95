package io.anabranch.rules.algorithm.mycat;

import io.anabranch.rules.algorithm.DateTimeText;
import io.anabranch.rules.algorithm.WholeNumber;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;

/** Values as those proxies see them: the text of the literal, without its quotes. */
final class KeyText {

  private KeyText() {}

  /**
   * The same for text and binary protocol.
   *
   * @throws io.anabranch.rules.error.RefusedException for NULL and what has no one text
   */
  static String of(SqlValue value, String algorithm) {
    return switch (value) {
      case SqlValue.Int(long number) -> Long.toString(number);
      case SqlValue.Text(String text) -> text;
      case SqlValue.Decimal(BigDecimal number) -> number.toPlainString();
      case SqlValue.Date(var date) -> date.toString();
      case SqlValue.DateTime(var time) -> DateTimeText.of(time);
      case SqlValue.Null _, SqlValue.Unknown _, SqlValue.Bytes _, SqlValue.Floating _ ->
          throw WholeNumber.refuse(algorithm, value, "it takes integers, strings and dates");
    };
  }
}
