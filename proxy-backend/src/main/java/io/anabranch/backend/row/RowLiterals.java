package io.anabranch.backend.row;

import io.anabranch.protocol.message.CellConversion;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.protocol.message.TextRowWriter;
import io.anabranch.protocol.parameter.NumberText;
import io.anabranch.protocol.type.Collation;
import io.anabranch.protocol.type.ColumnType;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredCharacters;
import io.anabranch.rules.value.StoredIn;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.YearMonth;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cells of rows as SQL literals, so that a column of the same type gets the same value: FLOAT by
 * its binary value, texts by their bytes and character set, independent of {@code sql_mode}. Rows
 * must have been read with {@code character_set_results=NULL}, which leaves texts as they are
 * stored, and in the binary protocol where there are FLOAT columns. Points at one row at a time;
 * used by one thread.
 */
public final class RowLiterals implements RowCells {

  private enum Form {
    NUMBER,
    BITS,
    FLOATING,
    TEMPORAL,
    TEXT,
    BYTES
  }

  private static final byte[] NULL = ascii("NULL");
  private static final byte[] DATE = ascii("DATE'");
  private static final byte[] TIME = ascii("TIME'");
  private static final byte[] TIMESTAMP = ascii("TIMESTAMP'");
  private static final byte[] HEXADECIMAL = ascii(" x'");
  private static final byte QUOTE = '\'';
  private static final byte[] PLAIN = {QUOTE};
  private static final int MONTHS = 12;
  private static final String ZERO_FRACTION = "\\.0+$";

  private final RowReader reader;
  private final boolean binary;
  private final List<ResultColumn> columns;
  private final CellSource[] sources;
  private final Form[] forms;
  private final ColumnType[] types;
  private final TextForm[] texts;
  private final CellConversion[] conversions;
  private final TextRowWriter text = new TextRowWriter();

  public RowLiterals(List<ResultColumn> columns, RowFormat format) {
    this.reader = format.reader(columns);
    this.binary = format == RowFormat.BINARY;
    this.columns = columns;
    sources = new CellSource[columns.size()];
    forms = new Form[columns.size()];
    types = new ColumnType[columns.size()];
    texts = new TextForm[columns.size()];
    conversions = new CellConversion[columns.size()];
    for (int i = 0; i < forms.length; i++) {
      ResultColumn column = columns.get(i);
      ColumnType type = ColumnType.of(column.type());
      forms[i] = form(type, column.collation());
      types[i] = type;
      texts[i] = type == ColumnType.JSON ? TextForm.UTF8 : TextForm.of(column.collation());
      sources[i] = CellSource.of(column);
      conversions[i] = new CellConversion(type, column.flags(), column.decimals(), column.length());
    }
  }

  private static Form form(ColumnType type, int collation) {
    return switch (type) {
      case TINY, SHORT, LONG, INT24, LONGLONG, YEAR, BOOL, DECIMAL, NEWDECIMAL -> Form.NUMBER;
      case FLOAT, DOUBLE -> Form.FLOATING;
      case BIT -> Form.BITS;
      case TIMESTAMP, DATE, TIME, DATETIME, NEWDATE, TIMESTAMP2, DATETIME2, TIME2 -> Form.TEMPORAL;
      case JSON -> Form.TEXT;
      case GEOMETRY, VECTOR -> Form.BYTES;
      case NULL,
          VARCHAR,
          TYPED_ARRAY,
          INVALID,
          ENUM,
          SET,
          TINY_BLOB,
          MEDIUM_BLOB,
          LONG_BLOB,
          BLOB,
          VAR_STRING,
          STRING ->
          collation == Collation.BINARY ? Form.BYTES : Form.TEXT;
    };
  }

  @Override
  public int width() {
    return forms.length;
  }

  /** Points at another row; its payload is not modified. */
  public void read(byte[] payload) {
    reader.read(payload);
  }

  public boolean isNull(int column) {
    return reader.isNull(column);
  }

  /** Appends the literal of a cell, in ASCII. */
  @Override
  public void append(SqlBuffer out, int column) {
    if (reader.isNull(column)) {
      out.append(NULL);
      return;
    }
    switch (forms[column]) {
      case NUMBER -> out.append(plain(column));
      case BITS -> out.append(ascii(bits(column).toString()));
      case FLOATING -> out.append(ascii(floating(column)));
      case TEMPORAL -> temporal(out, plain(column), column);
      case TEXT -> string(out, texts[column], column);
      case BYTES -> string(out, TextForm.BYTES, column);
    }
  }

  @Override
  public void append(SqlBuffer out, int column, StoredIn in) {
    if (reader.isNull(column)) {
      out.append(NULL);
      return;
    }
    switch (sources[column].into(in)) {
      case LITERAL -> append(out, column);
      case TEXT -> quoted(out, plain(column));
      case SECONDS -> quoted(out, ascii(withoutFraction(latin(plain(column)))));
      case NUMBER -> out.append(ascii(number(column, in)));
      case BYTES -> string(out, TextForm.BYTES, column);
      case REFUSED -> throw refusal(column);
    }
  }

  private RefusedException refusal(int column) {
    return ErrorCatalogue.NOT_EXACT.refuse(
        "'" + columns.get(column).name() + "', stored in a column of another type,",
        "CAST it to that type");
  }

  /** A number of a JSON: whether one with a fraction is exact decides how it is rounded. */
  private String number(int column, StoredIn in) {
    String text = latin(raw(column));
    boolean isNumber =
        switch (NumberText.of(reader.payload(), reader.offset(column), end(column))) {
          case NONE, HUGE -> false;
          case POSITIVE, MINUS_ZERO, LARGE, FRACTION, OUTSIDE -> true;
        };
    boolean isFloating = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    boolean isWhole = !isFloating && text.indexOf('.') < 0;
    if (!isNumber || (!isWhole && in.kind() == StoredIn.Kind.WHOLE)) {
      throw refusal(column);
    }
    return isWhole || isFloating ? text : text + "e0";
  }

  private int end(int column) {
    return reader.offset(column) + reader.length(column);
  }

  private static void quoted(SqlBuffer out, byte[] text) {
    out.append(TextForm.UTF8.introducer()).append(QUOTE).append(text).append(QUOTE);
  }

  private static String withoutFraction(String moment) {
    int point = moment.indexOf('.');
    return point < 0 ? moment : moment.substring(0, point);
  }

  /**
   * As a literal of its type, so that a column of another one takes it as it would take the value.
   * Of days that are none there are no such literals.
   */
  private void temporal(SqlBuffer out, byte[] cell, int column) {
    switch (types[column]) {
      case TIME, TIME2 -> out.append(TIME);
      case DATE, NEWDATE -> out.append(isDay(cell) ? DATE : PLAIN);
      default -> out.append(isDay(cell) ? TIMESTAMP : PLAIN);
    }
    out.append(cell).append(QUOTE);
  }

  private static boolean isDay(byte[] cell) {
    int year = number(cell, 0, 4);
    int month = number(cell, 5, 7);
    int day = number(cell, 8, 10);
    boolean isMonth = month >= 1 && month <= MONTHS;
    return isMonth && day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth();
  }

  private static int number(byte[] cell, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + cell[i] - '0';
    }
    return number;
  }

  @Override
  public SqlValue value(int column) {
    if (reader.isNull(column)) {
      return SqlValue.Null.NULL;
    }
    return switch (forms[column]) {
      case NUMBER -> number(new BigDecimal(latin(plain(column))));
      case BITS -> number(new BigDecimal(bits(column)));
      case FLOATING -> new SqlValue.Floating(Double.parseDouble(floating(column)));
      case TEMPORAL -> new SqlValue.Text(latin(plain(column)).replaceFirst(ZERO_FRACTION, ""));
      case TEXT ->
          new SqlValue.Text(
              texts[column].read(reader.payload(), reader.offset(column), reader.length(column)));
      case BYTES -> new SqlValue.Bytes(raw(column));
    };
  }

  /** A text keeps all digits of a moment. */
  @Override
  public SqlValue value(int column, StoredIn in) {
    if (forms[column] != Form.TEMPORAL || !in.kind().isString() || reader.isNull(column)) {
      return value(column);
    }
    String moment = latin(plain(column));
    boolean isCut = sources[column].into(in) == CellSource.Way.SECONDS;
    return new SqlValue.Text(isCut ? withoutFraction(moment) : moment);
  }

  private static SqlValue number(BigDecimal number) {
    boolean small = number.scale() == 0 && number.toBigInteger().bitLength() < Long.SIZE;
    return small ? new SqlValue.Int(number.longValueExact()) : new SqlValue.Decimal(number);
  }

  private byte[] raw(int column) {
    byte[] cell = new byte[reader.length(column)];
    System.arraycopy(reader.payload(), reader.offset(column), cell, 0, cell.length);
    return cell;
  }

  /** The cell as the text protocol has it; of short cells only. */
  private byte[] plain(int column) {
    if (!binary) {
      return raw(column);
    }
    text.begin();
    conversions[column].addAsText(
        text, reader.payload(), reader.offset(column), reader.length(column));
    byte[] cell = text.finish();
    byte[] value = new byte[cell.length - 1];
    System.arraycopy(cell, 1, value, 0, value.length);
    return value;
  }

  /**
   * Servers send the bytes of a column, and of an expression its digits, or its bytes as if they
   * were a text of another character set.
   */
  private BigInteger bits(int column) {
    byte[] cell = raw(column);
    ResultColumn described = columns.get(column);
    var bytes = new BigInteger(1, cell);
    if (CellSource.isOfColumn(described)) {
      return bytes;
    }
    long width = described.length();
    boolean mayBeBytes = bytes.bitLength() <= width && cell.length <= (width + 7) / Byte.SIZE;
    boolean isDigits = isDigits(cell);
    if (isDigits && !mayBeBytes) {
      return new BigInteger(latin(cell));
    }
    if (mayBeBytes && !isDigits && isAscii(cell)) {
      return bytes;
    }
    throw ErrorCatalogue.NOT_EXACT.refuse(
        "'" + described.name() + "', bits that are computed,", "add 0 to them");
  }

  private static boolean isAscii(byte[] cell) {
    for (byte each : cell) {
      if (each < 0) {
        return false;
      }
    }
    return cell.length > 0;
  }

  private static boolean isDigits(byte[] cell) {
    for (byte each : cell) {
      if (each < '0' || each > '9') {
        return false;
      }
    }
    return cell.length > 0;
  }

  /** With an exponent, without which it would be an exact number. */
  private String floating(int column) {
    if (!binary) {
      return exponent(latin(raw(column)));
    }
    long bits = 0;
    for (int i = reader.length(column) - 1; i >= 0; i--) {
      bits = (bits << 8) | (reader.payload()[reader.offset(column) + i] & 0xFF);
    }
    if (reader.length(column) == Float.BYTES) {
      return exponent(new BigDecimal(Float.intBitsToFloat((int) bits)).toString());
    }
    double number = Double.longBitsToDouble(bits);
    if (!Double.isFinite(number)) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "'" + columns.get(column).name() + "', which is beyond what DOUBLE holds,",
          "sum a DECIMAL");
    }
    return exponent(Double.toString(number));
  }

  private static String exponent(String number) {
    return number.indexOf('E') < 0 && number.indexOf('e') < 0 ? number + "e0" : number;
  }

  private void string(SqlBuffer out, TextForm form, int column) {
    byte[] payload = reader.payload();
    int from = reader.offset(column);
    int length = reader.length(column);
    boolean isUtf16 = form.isUcs2() && form.readIfKnown(payload, from, length) != null;
    string(out, isUtf16 ? TextForm.UTF16 : form, payload, from, length);
  }

  private static void string(SqlBuffer out, TextForm form, byte[] payload, int from, int length) {
    out.append(form.introducer());
    if (form.hasAscii() && isPlain(payload, from, length)) {
      out.append(QUOTE).append(payload, from, length).append(QUOTE);
      return;
    }
    byte[] hex = new byte[2 * length];
    for (int i = 0; i < length; i++) {
      hex[2 * i] = (byte) HexFormat.of().toHighHexDigit(payload[from + i]);
      hex[2 * i + 1] = (byte) HexFormat.of().toLowHexDigit(payload[from + i]);
    }
    out.append(HEXADECIMAL).append(hex).append(QUOTE);
  }

  /** Whether the bytes mean the same in quotes, in any character set of clients. */
  private static boolean isPlain(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < ' ' || bytes[i] == '\'' || bytes[i] == '\\' || bytes[i] == 127) {
        return false;
      }
    }
    return true;
  }

  private static String latin(byte[] text) {
    return new String(text, StandardCharsets.US_ASCII);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * How texts of a character set are written as literals that keep their bytes: {@code _latin1
   * x'E9'}.
   *
   * @param introducer without it a literal is in the connection's character set, which may be
   *     {@code binary} or UTF-16
   * @param hasAscii whether bytes of printable ASCII mean the same in quotes, in any character set
   *     of clients
   * @param isUcs2 whether the introducer makes MySQL warn, where that of UTF-16 has the same bytes
   * @param characters null: not known here
   */
  private record TextForm(
      byte[] introducer, boolean hasAscii, boolean isUcs2, @Nullable StoredCharacters characters) {

    private static final Set<String> ASCII = Set.of("ascii", "latin1", "utf8mb3", "utf8mb4");

    static final TextForm UTF8 = new TextForm("utf8mb4", true);
    static final TextForm UTF16 = new TextForm("utf16", false);
    static final TextForm BYTES = new TextForm("binary", true);

    private TextForm(String name, boolean hasAscii) {
      this(ascii("_" + name), hasAscii, name.equals("ucs2"), StoredCharacters.of(name));
    }

    /**
     * @param collation its id, that of a column of text
     */
    static TextForm of(int collation) {
      Collation known = Collation.byId(collation);
      if (known == null || known.characterSet().startsWith("utf8")) {
        return UTF8;
      }
      String name = known.characterSet();
      return new TextForm(name, ASCII.contains(name));
    }

    /**
     * Reads the bytes as characters.
     *
     * @throws RefusedException if it is not known which ones they are
     */
    String read(byte[] bytes, int from, int length) {
      String text = readIfKnown(bytes, from, length);
      if (text == null) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "a text whose characters are not known here, which places rows,",
            "CONVERT it USING utf8mb4");
      }
      return text;
    }

    /** Null: it is not known which characters the bytes are. */
    @Nullable String readIfKnown(byte[] bytes, int from, int length) {
      return characters == null ? null : characters.read(bytes, from, length);
    }
  }
}
