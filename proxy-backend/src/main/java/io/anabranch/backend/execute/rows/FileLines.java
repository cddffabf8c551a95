package io.anabranch.backend.execute.rows;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.effort.GivingWay;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.lexer.DoubleBytes;
import io.anabranch.rules.value.FileCharacters;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a file into rows of fields, as LOAD DATA does. Holds one row at a time, and charges what is
 * long of it with all that becomes of it. Used by one thread.
 */
public final class FileLines {

  private static final int END = -1;

  /** Read at once: others may run behind each. */
  private static final int PIECE = 4 * 1024;

  /** A long field is charged in steps of so many bytes. */
  private static final int STEP = StatementMemory.LONG_ROW;

  /**
   * So often a field is there at most: while it grows, as a value, in hexadecimal in a statement.
   */
  private static final int COPIES = 7;

  /**
   * A field.
   *
   * @param bytes escapes undone; null for NULL
   */
  public record Field(byte @Nullable [] bytes) {}

  /** So many fields are charged at once, each with its share of a list. */
  private static final int FIELDS = 1024;

  private static final int FIELD_BYTES = 64;

  private final FileFormat format;
  private final DoubleBytes characters;

  /** Whether the character that escapes is the one around fields: then it escapes itself only. */
  private final boolean doubles;

  private final Supplier<byte @Nullable []> chunks;
  private final StatementMemory memory;

  private final GivingWay others = new GivingWay();

  /** For the row that was given last. */
  private long held;

  // What the client sent last, and how much of it is among the others.
  private byte[] chunk = {};
  private int taken;

  // Bytes that have been fetched and not been read yet.
  private byte[] bytes = {};
  private int position;
  private boolean atEnd;

  /**
   * @param charset of the file
   * @param chunks gives the next bytes of the file; null at its end
   * @param memory of the statement
   */
  public FileLines(
      FileFormat format,
      FileCharacters charset,
      Supplier<byte @Nullable []> chunks,
      StatementMemory memory) {
    this.format = format;
    this.characters = charset.doubleBytes();
    this.doubles = format.escape() == format.enclosing();
    this.chunks = chunks;
    this.memory = memory;
  }

  /**
   * The fields of the next row; null at the end of the file.
   *
   * @param most fields that are taken, at least 1. Behind them servers look for the line's end
   *     only, in enclosed text, too: one more field without a value stands for what is there.
   */
  @Nullable
  public List<Field> next(int most) {
    others.step();
    memory.letGo(held);
    held = 0;
    if (!skipTo(format.lineStart())) {
      return null;
    }
    if (peek(0) == END) {
      return null;
    }
    var fields = new ArrayList<Field>();
    boolean more = true;
    // behind the last separator of a file there is no field
    while (more && fields.size() < most && peek(0) != END) {
      if (fields.size() % FIELDS == FIELDS - 1) {
        hold(FIELDS * (long) FIELD_BYTES);
      }
      more = field(fields);
    }
    if (more && skipLine() > 0) {
      fields.add(new Field(null));
    }
    return fields;
  }

  /**
   * Reads away what is in front of the next line's end and that end itself.
   *
   * @return how many bytes there were in front; negative if the file was at its end
   */
  public int skipLine() {
    if (peek(0) == END) {
      return -1;
    }
    int skipped = 0;
    while (peek(0) != END && !isAt(format.lineEnd())) {
      skip((peek(0) == format.escape() && peek(1) != END) || isPair(0) ? 2 : 1);
      skipped++;
    }
    if (peek(0) != END) {
      skip(format.lineEnd().length);
    }
    return skipped;
  }

  /**
   * Reads away what is in front of {@code start} and start itself; false at the end of the file.
   */
  private boolean skipTo(byte[] start) {
    while (!isAt(start)) {
      if (read() == END) {
        return false;
      }
    }
    skip(start.length);
    return true;
  }

  /**
   * Reads one field and what ends it; false if it was the last of its line. In the order in which
   * servers look: for the escape, the line's end, the enclosing character, the field's end.
   */
  private boolean field(List<Field> into) {
    boolean enclosed = format.enclosing() >= 0 && peek(0) == format.enclosing();
    skip(enclosed ? 1 : 0);
    var value = new ByteArrayOutputStream();
    int charged = STEP;
    boolean hasNull = false;
    while (peek(0) != END) {
      if (value.size() >= charged) {
        hold(COPIES * (long) STEP);
        charged += STEP;
      }
      if (isEscape()) {
        hasNull |= peek(1) == 'N' && !doubles;
        escaped(value);
      } else if (!enclosed && endsAt(0)) {
        into.add(field(value, hasNull, false));
        return ended();
      } else if (enclosed && peek(0) == format.enclosing() && peek(1) == format.enclosing()) {
        value.write(peek(0));
        skip(2);
      } else if (enclosed && closes()) {
        skip(1);
        into.add(field(value, hasNull, true));
        return ended();
      } else {
        character(value);
      }
    }
    into.add(field(enclosed ? withQuote(value) : value, hasNull, false));
    return false;
  }

  /** Where it may escape itself, it does not close text at the end of the file. */
  private boolean closes() {
    return peek(0) == format.enclosing() && endsAt(1) && !(doubles && peek(1) == END);
  }

  /** Of text that has no end servers take the character in front of it, too. */
  private ByteArrayOutputStream withQuote(ByteArrayOutputStream value) {
    var whole = new ByteArrayOutputStream(value.size() + 1);
    whole.write(format.enclosing());
    whole.writeBytes(value.toByteArray());
    return whole;
  }

  /** The last character of a file escapes nothing. */
  private boolean isEscape() {
    return peek(0) == format.escape() && peek(1) != END && (!doubles || peek(1) == format.escape());
  }

  private void escaped(ByteArrayOutputStream value) {
    skip(1);
    if (isPair(0)) {
      // MariaDB takes the escaped byte alone, MySQL the character
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "LOAD DATA of an escaped character of two bytes", "write the file in utf8mb4");
    }
    int letter = read();
    value.write(doubles ? letter : unescaped(letter));
  }

  private void character(ByteArrayOutputStream value) {
    if (isPair(0)) {
      value.write(read());
    }
    value.write(read());
  }

  /** Whether a character of two bytes begins there, whose second one means nothing. */
  private boolean isPair(int ahead) {
    return characters != DoubleBytes.NONE
        && peek(ahead + 1) != END
        && characters.arePair((byte) peek(ahead), (byte) peek(ahead + 1));
  }

  /** NULL is {@code \\N} and nothing else; where fields have quotes, the word without them, too. */
  private Field field(ByteArrayOutputStream value, boolean hasNull, boolean enclosed) {
    boolean isNull = (hasNull && value.size() == 1) || (!enclosed && isNullWord(value));
    return new Field(isNull ? null : value.toByteArray());
  }

  private void hold(long bytes) {
    memory.hold(bytes);
    held += bytes;
  }

  private boolean isNullWord(ByteArrayOutputStream value) {
    return format.enclosing() >= 0
        && value.size() == 4
        && value.toString(java.nio.charset.StandardCharsets.US_ASCII).equals("NULL");
  }

  private static int unescaped(int letter) {
    return switch (letter) {
      case '0' -> 0;
      case 'b' -> '\b';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'Z' -> 26;
      default -> letter;
    };
  }

  private boolean endsAt(int ahead) {
    return peek(ahead) == END || isAt(format.fieldEnd(), ahead) || isAt(format.lineEnd(), ahead);
  }

  /** Reads away what ended a field; true if another one follows in the line. */
  private boolean ended() {
    if (isAt(format.fieldEnd(), 0) && !isAt(format.lineEnd(), 0)) {
      skip(format.fieldEnd().length);
      return true;
    }
    if (isAt(format.lineEnd(), 0)) {
      skip(format.lineEnd().length);
    }
    return false;
  }

  private boolean isAt(byte[] text) {
    return isAt(text, 0);
  }

  private boolean isAt(byte[] text, int ahead) {
    for (int i = 0; i < text.length; i++) {
      if (i % PIECE == PIECE - 1) {
        others.look();
      }
      if (peek(ahead + i) != (text[i] & 0xFF)) {
        return false;
      }
    }
    return true;
  }

  private int peek(int ahead) {
    while (position + ahead >= bytes.length && !atEnd) {
      fetch();
    }
    return position + ahead < bytes.length ? bytes[position + ahead] & 0xFF : END;
  }

  private int read() {
    int next = peek(0);
    if (next != END) {
      position++;
    }
    return next;
  }

  private void skip(int count) {
    position += count;
  }

  private void fetch() {
    others.look();
    if (taken == chunk.length) {
      byte[] more = chunks.get();
      if (more == null) {
        atEnd = true;
        return;
      }
      chunk = more;
      taken = 0;
    }
    int count = Math.min(PIECE, chunk.length - taken);
    byte[] joined = new byte[bytes.length - position + count];
    System.arraycopy(bytes, position, joined, 0, bytes.length - position);
    System.arraycopy(chunk, taken, joined, bytes.length - position, count);
    taken += count;
    bytes = joined;
    position = 0;
  }
}
