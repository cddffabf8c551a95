package io.anabranch.rules.placement;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.value.MomentText;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The value by which a row is placed: what the column will hold, in the form in which {@link
 * KeyType#key} finds it again. What the database would round or cut is refused: the row would not
 * be found where its stored value says.
 */
public final class StoredKey {

  private StoredKey() {}

  public static SqlValue of(String column, KeyType type, @Nullable SqlValue value) {
    if (value == null || value == SqlValue.Unknown.UNKNOWN) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' is an expression",
          "give it as a literal or parameter");
    }
    if (value == SqlValue.Null.NULL) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "sharding column '" + column + "' is NULL",
          "give it a value or configure a keyGenerateStrategy for it");
    }
    if (type == KeyType.OTHER) {
      return value instanceof SqlValue.Decimal(BigDecimal number) ? DecimalForm.key(number) : value;
    }
    SqlValue key = type.key(value);
    if (key == null && type == KeyType.INTEGER && value instanceof SqlValue.Text text) {
      key = longText(text.value());
    }
    if (key == null && type == KeyType.DATETIME && value instanceof SqlValue.Text(String moment)) {
      key = wholeSeconds(moment);
    }
    if (key == null) {
      throw ErrorCatalogue.UNROUTABLE_WRITE.refuse(
          "the value of sharding column '" + column + "' may be stored as another value",
          "give it in the column's own type");
    }
    return key;
  }

  /** Of a fraction the column may keep less. */
  private static @Nullable SqlValue wholeSeconds(String text) {
    LocalDateTime moment = MomentText.of(text);
    return moment == null || !moment.equals(moment.truncatedTo(ChronoUnit.SECONDS))
        ? null
        : new SqlValue.DateTime(moment);
  }

  /** All digits of a text are stored, however many a comparison would look at. */
  private static @Nullable SqlValue longText(String text) {
    if (!text.matches("-?[0-9]{1,18}")) {
      return null;
    }
    return new SqlValue.Int(new BigDecimal(text).longValueExact());
  }
}
