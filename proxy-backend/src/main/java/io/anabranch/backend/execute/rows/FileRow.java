package io.anabranch.backend.execute.rows;

import io.anabranch.backend.row.RowCells;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode.Load.Missing;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.FileCharacters;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredCharacters;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A line of a file as a row: its fields are texts. */
public final class FileRow implements RowCells {

  private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);
  private static final byte QUOTE = '\'';

  private final List<Missing> missing;
  private final List<byte[]> literals;
  private final int[] fieldOf;
  private final byte[] introducer;

  /** Of a character set that is not known here, or of none, ASCII alone is certain. */
  private final StoredCharacters characters;

  private List<FileLines.Field> fields = List.of();

  /**
   * @param missing for each column of the table what it holds where a line is too short; there are
   *     values for expressions behind these
   * @param columns for each field its position in the row, or -1
   * @param charset of the file
   */
  public FileRow(List<Missing> missing, int[] columns, FileCharacters charset) {
    this.missing = List.copyOf(missing);
    literals =
        missing.stream().map(each -> each.literal().getBytes(StandardCharsets.US_ASCII)).toList();
    int width = missing.size();
    fieldOf = new int[1 + Math.max(width, Arrays.stream(columns).max().orElse(0))];
    for (int field = 0; field < columns.length; field++) {
      if (columns[field] >= 0) {
        fieldOf[columns[field]] = field;
      }
    }
    introducer = ("_" + charset.name() + " x'").getBytes(StandardCharsets.US_ASCII);
    StoredCharacters known = StoredCharacters.of(charset.name());
    characters = known == null ? Objects.requireNonNull(StoredCharacters.of("ascii")) : known;
  }

  public FileRow of(List<FileLines.Field> line) {
    fields = line;
    return this;
  }

  @Override
  public int width() {
    return missing.size();
  }

  @Override
  public void append(SqlBuffer out, int column) {
    if (fieldOf[column] >= fields.size()) {
      out.append(column < missing.size() ? literals.get(column) : NULL);
      return;
    }
    byte[] value = fields.get(fieldOf[column]).bytes();
    if (value == null) {
      out.append(NULL);
    } else if (isPlain(value)) {
      out.append(QUOTE).append(value).append(QUOTE);
    } else {
      out.append(introducer).appendHex(value).append(QUOTE);
    }
  }

  private static boolean isPlain(byte[] value) {
    for (byte unit : value) {
      if (unit < ' ' || unit == '\'' || unit == '\\' || unit == 127) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void append(SqlBuffer out, int column, StoredIn in) {
    append(out, column);
  }

  @Override
  public boolean isSelectable() {
    for (int column = 0; column < missing.size(); column++) {
      if (isMissing(column)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the line does not have the field of a column. */
  boolean isMissing(int column) {
    return column < missing.size() && fieldOf[column] >= fields.size();
  }

  /**
   * The value of a field as a server reads it.
   *
   * @param name of the column, for messages
   * @throws RefusedException the bytes are no text in the character set of the file
   */
  SqlValue exact(int column, String name) {
    byte[] bytes = fieldOf[column] >= fields.size() ? null : fields.get(fieldOf[column]).bytes();
    if (bytes == null) {
      return SqlValue.Null.NULL;
    }
    String text = characters.read(bytes, 0, bytes.length);
    if (text == null) {
      throw ErrorCatalogue.NOT_ENCRYPTED.refuse(
          name, "it is no text in the character set of the file");
    }
    return new SqlValue.Text(text);
  }

  @Override
  public SqlValue value(int column) {
    if (fieldOf[column] >= fields.size()) {
      return column < missing.size() ? missing.get(column).value() : SqlValue.Null.NULL;
    }
    byte[] value = fields.get(fieldOf[column]).bytes();
    return value == null ? SqlValue.Null.NULL : new SqlValue.Text(text(value));
  }

  private String text(byte[] value) {
    String text = characters.read(value, 0, value.length);
    if (text == null) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a field that is no text in the character set of the file, which places rows,",
          "name the file's own in LOAD DATA");
    }
    return text;
  }
}
