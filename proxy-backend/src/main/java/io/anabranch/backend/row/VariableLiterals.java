package io.anabranch.backend.row;

import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnFlag;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.slot.SqlBuffer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Cells of rows as SQL text that gives a user variable the type, character set and collation which
 * the cell itself would give it. Rows must have been read with {@code character_set_results=NULL},
 * which leaves texts as they are stored, in the binary protocol. Points at one row at a time; used
 * by one thread.
 */
public final class VariableLiterals {

  /** What types without fractions of their own are told to have, and more. */
  private static final int MOST_FRACTION = 6;

  private static final String NUMERALS = "0123456789+-.eE";

  private final List<ResultColumn> columns;
  private final RowReader reader;
  private final RowLiterals plain;

  public VariableLiterals(List<ResultColumn> columns) {
    this.columns = List.copyOf(columns);
    this.reader = RowFormat.BINARY.reader(columns);
    this.plain = new RowLiterals(columns, RowFormat.BINARY);
  }

  public int width() {
    return columns.size();
  }

  /** Points at another row; its payload is not modified. */
  public void read(byte[] payload) {
    reader.read(payload);
    plain.read(payload);
  }

  /** The text for one cell. */
  public String literal(int column) {
    if (reader.isNull(column)) {
      return "NULL";
    }
    ResultColumn described = columns.get(column);
    return switch (ColumnType.of(described.type())) {
      case YEAR, BIT -> unsigned(text(column));
      case TINY, SHORT, LONG, INT24, LONGLONG, BOOL ->
          (described.flags() & ColumnFlag.UNSIGNED) == 0
              ? text(column)
              : unsigned(new BigDecimal(text(column)).toPlainString());
      case DECIMAL, NEWDECIMAL -> decimal(new BigDecimal(text(column)).toPlainString());
      case FLOAT, DOUBLE -> text(column);
      case DATE, NEWDATE -> "CAST(" + text(column) + " AS DATE)";
      case TIME, TIME2 -> temporal(column, described, "TIME");
      case TIMESTAMP, DATETIME, TIMESTAMP2, DATETIME2 -> temporal(column, described, "DATETIME");
      case NULL,
          VARCHAR,
          TYPED_ARRAY,
          INVALID,
          VECTOR,
          JSON,
          ENUM,
          SET,
          TINY_BLOB,
          MEDIUM_BLOB,
          LONG_BLOB,
          BLOB,
          VAR_STRING,
          STRING,
          GEOMETRY ->
          string(column, described);
    };
  }

  /**
   * The literal of a DECIMAL, which divides with more digits than an integer does.
   *
   * @param digits in plain decimal notation
   */
  private static String decimal(String digits) {
    return digits.indexOf('.') < 0 ? digits + "." : digits;
  }

  /**
   * A number in the text of a row, in whatever character set the server wrote it: MySQL takes
   * character_set_connection, UTF-16 or not, where there is none for results, and calls that bytes.
   *
   * @throws RefusedException it is none, and can be no literal
   */
  public static String number(byte[] row, int offset, int length) {
    var number = new StringBuilder(length);
    for (int at = offset; at < offset + length; at++) {
      if (NUMERALS.indexOf(row[at]) >= 0) {
        number.append((char) row[at]);
      } else if (row[at] != 0) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a number in a character set that the proxy does not know", "SET NAMES utf8mb4");
      }
    }
    return number.toString();
  }

  private static String unsigned(String digits) {
    return "CAST(" + digits + " AS UNSIGNED)";
  }

  private String text(int column) {
    var out = new SqlBuffer(32);
    plain.append(out, column);
    return new String(out.toByteArray(), StandardCharsets.US_ASCII);
  }

  private String temporal(int column, ResultColumn described, String type) {
    int fraction = Math.min(described.decimals(), MOST_FRACTION);
    return "CAST(" + text(column) + " AS " + type + "(" + fraction + "))";
  }

  private String string(int column, ResultColumn described) {
    int from = reader.offset(column);
    String hex =
        "x'" + HexFormat.of().formatHex(reader.payload(), from, from + reader.length(column)) + "'";
    Collation collation = Collation.byId(described.collation());
    return collation == null || collation.id() == Collation.BINARY
        ? hex
        : "_" + collation.characterSet() + " " + hex + " COLLATE " + collation.name();
  }
}
