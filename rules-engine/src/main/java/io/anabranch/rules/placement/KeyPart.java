package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.value.SqlLiterals;
import io.anabranch.rules.value.SqlValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a unique key, and how a row that comes is compared with those that are there: by what
 * the column will hold, as its index compares it.
 *
 * @param column lower-case name
 * @param prefix characters that count; 0: all
 * @param form what it makes of values that do not fit
 */
record KeyPart(
    String table, String column, int prefix, Column schema, KeyType type, StoredForm form) {

  private static final Pattern DIGITS = Pattern.compile("\\((\\d+)\\)");

  /**
   * @param cuts whether the statement may cut values that do not fit
   */
  static List<KeyPart> of(ShardedTable table, TableKey key, TableSchema schema, boolean cuts) {
    var parts = new ArrayList<KeyPart>();
    for (TableKey.Part part : key.parts()) {
      String name = part.column();
      Column column =
          name == null
              ? null
              : schema.columns().stream()
                  .filter(one -> one.name().equalsIgnoreCase(name))
                  .findFirst()
                  .orElse(null);
      if (name == null || column == null || column.generated()) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a write to table '"
                + table.name()
                + "', whose "
                + key.called()
                + " has a computed part,",
            "make it a key of plain columns, or set uniqueKeysWithoutShardingColumns: WARN");
      }
      parts.add(
          new KeyPart(
              table.name(),
              name.toLowerCase(Locale.ROOT),
              part.prefix(),
              column,
              KeyType.of(column.type(), column.collation()),
              StoredForm.of(column, cuts)));
    }
    return List.copyOf(parts);
  }

  /**
   * {@code `column` = value}, in ASCII but for the column's name.
   *
   * @param given null: the column's default
   */
  String equal(@Nullable SqlValue given) {
    String name = TableNames.quoted(schema.name());
    if (given == null) {
      if (schema.clocked()) {
        throw refusal("the moment by default");
      }
      return cut(name) + " = " + cut("DEFAULT(" + name + ")");
    }
    return cut(name) + " = " + cut(literal(stored(given)));
  }

  /** As messages of duplicates show what a row has. */
  String shown() {
    return cut(TableNames.quoted(schema.name()));
  }

  /**
   * NULL is no duplicate of another one.
   *
   * @throws RefusedException if the column may take another value for it
   */
  void requireNull() {
    if (!schema.nullable() && form.cuts()) {
      throw refusal("NULL");
    }
  }

  private String cut(String text) {
    return prefix == 0 ? text : "LEFT(" + text + ", " + prefix + ")";
  }

  private SqlValue stored(SqlValue given) {
    if (type != KeyType.OTHER || form.isText() || form.floating() != FloatingForm.NONE) {
      List<SqlValue> possible;
      try {
        possible = new NewKey(column, type, form).of(given);
      } catch (RefusedException unsure) {
        throw refusal("what may be stored as another value");
      }
      if (possible.size() > 1 || !form.holds(possible.getFirst())) {
        throw refusal("what may be stored as another value");
      }
      return possible.getFirst();
    }
    String word = schema.type().toLowerCase(Locale.ROOT).split("[ (]", 2)[0];
    Matcher digits = DIGITS.matcher(schema.type());
    SqlValue stored =
        switch (word) {
          case "decimal" -> decimal(given);
          case "binary" ->
              digits.find() ? bytes(given, Integer.parseInt(digits.group(1)), true) : null;
          case "varbinary" ->
              digits.find() ? bytes(given, Integer.parseInt(digits.group(1)), false) : null;
          default -> null;
        };
    if (stored == null) {
      throw refusal("what may be stored as another value");
    }
    return stored;
  }

  private @Nullable SqlValue decimal(SqlValue given) {
    DecimalForm form = DecimalForm.of(schema.type().toLowerCase(Locale.ROOT));
    BigDecimal number = form == null ? null : form.stored(given);
    return number == null ? null : new SqlValue.Decimal(number);
  }

  /** A column of a fixed length fills what is shorter. */
  private static @Nullable SqlValue bytes(SqlValue given, int length, boolean fixed) {
    byte[] bytes =
        switch (given) {
          case SqlValue.Bytes raw -> raw.value();
          case SqlValue.Text(String text) when text.chars().allMatch(c -> c < 128) ->
              text.getBytes(StandardCharsets.US_ASCII);
          default -> null;
        };
    boolean fits = bytes != null && (fixed ? bytes.length == length : bytes.length <= length);
    return fits && bytes != null ? new SqlValue.Bytes(bytes) : null;
  }

  /** Texts by the column's own collation, whatever the session's is. */
  private String literal(SqlValue value) {
    if (form.floating() == FloatingForm.SINGLE && value instanceof SqlValue.Decimal(BigDecimal d)) {
      return new BigDecimal(d.floatValue()) + "e0";
    }
    if (form.floating() != FloatingForm.NONE && value instanceof SqlValue.Decimal(BigDecimal d)) {
      return d.doubleValue() + (Double.toString(d.doubleValue()).indexOf('E') < 0 ? "e0" : "");
    }
    String literal = new String(SqlLiterals.of(value), StandardCharsets.US_ASCII);
    String collation = schema.collation();
    return collation == null || !form.isText()
        ? literal
        : "CONVERT("
            + literal
            + " USING "
            + RowCondition.charset(collation)
            + ") COLLATE "
            + collation;
  }

  private RefusedException refusal(String what) {
    return ErrorCatalogue.NOT_EXACT.refuse(
        what
            + " for column '"
            + column
            + "' of table '"
            + table
            + "', whose unique keys are looked for on all nodes,",
        "give a value of the column's own type that fits");
  }
}
