package io.anabranch.backend.execute.rows;

import io.anabranch.backend.row.RowCells;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.plan.PlanNode.Load.Blank;
import io.anabranch.rules.plan.PlanNode.Load.Filler;
import io.anabranch.rules.plan.slot.SqlBuffer;
import io.anabranch.rules.value.FileCharacters;
import io.anabranch.rules.value.SqlValue;
import io.anabranch.rules.value.StoredCharacters;
import io.anabranch.rules.value.StoredIn;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A line of a file as a row: its fields are texts. */
public final class FileRow implements RowCells {

  private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);
  private static final byte QUOTE = '\'';

  private final List<Blank> blanks;
  private final int[] fieldOf;
  private final byte[] introducer;

  /** Of a character set that is not known here, or of none, ASCII alone is certain. */
  private final StoredCharacters characters;

  private List<FileLines.Field> fields = List.of();

  /**
   * @param blanks for each column of the table what it holds without a value; there are values for
   *     expressions behind these
   * @param columns for each field its position in the row, or -1
   * @param charset of the file
   */
  public FileRow(List<Blank> blanks, int[] columns, FileCharacters charset) {
    this.blanks = List.copyOf(blanks);
    int width = blanks.size();
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
    return blanks.size();
  }

  @Override
  public void append(SqlBuffer out, int column) {
    byte[] value = bytes(column);
    if (value == null) {
      Filler filler = filler(column);
      out.append(filler == null ? NULL : filler.literal().getBytes(StandardCharsets.US_ASCII));
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
    for (int column = 0; column < blanks.size(); column++) {
      Filler filler = bytes(column) == null ? filler(column) : null;
      if (filler != null && filler.isDefault()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the line does not have the field of a column. */
  boolean isMissing(int column) {
    return column < blanks.size() && fieldOf[column] >= fields.size();
  }

  private byte @Nullable [] bytes(int column) {
    return fieldOf[column] >= fields.size() ? null : fields.get(fieldOf[column]).bytes();
  }

  /** What stands for a field without a value; null: what stands behind the columns is NULL. */
  private @Nullable Filler filler(int column) {
    if (column >= blanks.size()) {
      return null;
    }
    Blank blank = blanks.get(column);
    return isMissing(column) ? blank.missing() : blank.none();
  }

  /**
   * The value of a field as a server reads it.
   *
   * @param name of the column, for messages
   * @throws RefusedException the bytes are no text in the character set of the file
   */
  SqlValue exact(int column, String name) {
    byte[] bytes = bytes(column);
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
    byte[] value = bytes(column);
    if (value != null) {
      return new SqlValue.Text(text(value));
    }
    Filler filler = filler(column);
    return filler == null ? SqlValue.Null.NULL : filler.value();
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
