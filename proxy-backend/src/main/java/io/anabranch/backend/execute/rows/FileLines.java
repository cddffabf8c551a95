package io.anabranch.backend.execute.rows;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.effort.GivingWay;
import io.anabranch.rules.file.FileFormat;
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

  private final FileFormat format;
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
   * @param chunks gives the next bytes of the file; null at its end
   * @param memory of the statement
   */
  public FileLines(FileFormat format, Supplier<byte @Nullable []> chunks, StatementMemory memory) {
    this.format = format;
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
    while (more && fields.size() < most) {
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
      skip(peek(0) == format.escape() && peek(1) != END ? 2 : 1);
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

  /** Reads one field and what ends it; false if it was the last of its line. */
  private boolean field(List<Field> into) {
    boolean enclosed = format.enclosing() >= 0 && peek(0) == format.enclosing();
    if (enclosed) {
      skip(1);
    }
    var value = new ByteArrayOutputStream();
    int charged = STEP;
    boolean isNull = false;
    boolean escaped = false;
    while (true) {
      if (enclosed && peek(0) == format.enclosing()) {
        if (peek(1) == format.enclosing()) {
          skip(1);
        } else if (endsAt(1)) {
          skip(1);
          enclosed = false;
          into.add(new Field(isNull ? null : value.toByteArray()));
          return ended();
        }
      } else if (!enclosed && endsAt(0)) {
        into.add(new Field(isNull || isNullWord(value, escaped) ? null : value.toByteArray()));
        return ended();
      }
      if (value.size() >= charged) {
        hold(COPIES * (long) STEP);
        charged += STEP;
      }
      int next = read();
      if (next == END) {
        into.add(new Field(isNull ? null : value.toByteArray()));
        return false;
      }
      if (next == format.escape() && peek(0) != END) {
        int letter = read();
        isNull = letter == 'N' && value.size() == 0 && (enclosed || endsAt(0));
        if (!isNull) {
          value.write(unescaped(letter));
        }
        escaped = true;
      } else {
        value.write(next);
      }
    }
  }

  private void hold(long bytes) {
    memory.hold(bytes);
    held += bytes;
  }

  /** NULL without quotes means NULL where other fields have them. */
  private boolean isNullWord(ByteArrayOutputStream value, boolean escaped) {
    return format.enclosing() >= 0
        && !escaped
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
