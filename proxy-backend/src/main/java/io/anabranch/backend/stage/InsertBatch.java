package io.anabranch.backend.stage;

import io.anabranch.backend.row.RowFormat;
import io.anabranch.protocol.message.RowReader;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable;
import io.anabranch.rules.plan.StagedTable.Cell;
import io.anabranch.rules.plan.slot.SqlBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Rows as one INSERT of many rows. Values are written so that the table stores what the row's own
 * table stores: string bytes are not converted ({@code _binary}), instants are given in UTC. Relies
 * on the settings of a {@link StagingConnection}: backslashes escape, the time zone is UTC.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/string-literals.html">String
 * Literals</a>. Used by one thread.
 */
final class InsertBatch {

  private static final byte[] IGNORE = ascii("INSERT IGNORE INTO");
  private static final byte[] NULL = ascii("NULL");
  private static final byte[] FLOATING = ascii("e0");
  private static final byte[] BINARY = ascii("_binary");
  private static final byte[] UTF8 = ascii("_utf8mb4");
  private static final byte[] ZERO_DATE = ascii("'0000-00-00 00:00:00'");
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  /** An OK packet counts them in two bytes. */
  private static final int MOST_WARNINGS = 0xFFFF;

  private final byte[] head;
  private final Cell[] cells;
  private final CellText rows;
  private final List<StageKeys.Column> keys;
  private final SqlBuffer sql = new SqlBuffer(64 * 1024);
  private int count;
  private int refusedValues;

  /**
   * @param keys columns whose values are to be remembered
   */
  InsertBatch(
      StagedTable table,
      List<ResultColumn> columns,
      RowFormat format,
      List<StageKeys.Column> keys) {
    this.keys = keys;
    head = ascii("INSERT        INTO " + table.name() + " VALUES ");
    cells = table.cells().toArray(Cell[]::new);
    rows = new CellText(columns, format);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Of the statement so far. */
  int bytes() {
    return sql.length();
  }

  boolean isEmpty() {
    return count == 0;
  }

  void add(byte[] row) {
    if (count++ == 0) {
      sql.append(head);
    } else {
      sql.append((byte) ',');
    }
    RowReader read = rows.read(row);
    sql.append((byte) '(');
    for (int i = 0; i < cells.length; i++) {
      if (i > 0) {
        sql.append((byte) ',');
      }
      if (read.isNull(i)) {
        sql.append(NULL);
      } else {
        cell(cells[i], read.payload(), read.offset(i), read.length(i));
      }
    }
    sql.append((byte) ')');
    for (StageKeys.Column key : keys) {
      int column = key.position();
      if (!read.isNull(column)) {
        key.add(read.payload(), read.offset(column), read.length(column));
      }
    }
  }

  /**
   * How many values the server takes with a warning: the empty values of ENUM columns, which are
   * there only because it took them so before.
   */
  int expectedWarnings() {
    return Math.min(refusedValues, MOST_WARNINGS);
  }

  /** The statement; the batch is empty afterwards. */
  byte[] take() {
    byte[] statement = sql.toByteArray();
    if (refusedValues > 0) {
      System.arraycopy(IGNORE, 0, statement, 0, IGNORE.length);
    }
    sql.reset();
    count = 0;
    refusedValues = 0;
    return statement;
  }

  private void cell(Cell cell, byte[] source, int offset, int length) {
    switch (cell) {
      case NUMBER -> {
        sql.append(source, offset, length);
        if (isNegativeZero(source, offset, length)) {
          sql.append(FLOATING);
        }
      }
      case CHOICE -> {
        sql.append(source, offset, length);
        refusedValues += length == 1 && source[offset] == '0' ? 1 : 0;
      }
      case ENUM -> {
        sql.append(UTF8);
        quoted(source, offset, length);
        refusedValues += length == 0 ? 1 : 0;
      }
      case QUOTED -> quoted(source, offset, length);
      case TEXT -> {
        sql.append(UTF8);
        quoted(source, offset, length);
      }
      case BYTES -> {
        sql.append(BINARY);
        quoted(source, offset, length);
      }
      case INSTANT -> instant(new String(source, offset, length, StandardCharsets.US_ASCII));
    }
  }

  /** Which only a DOUBLE or FLOAT can be: an exact zero has no sign. */
  private static boolean isNegativeZero(byte[] source, int offset, int length) {
    if (length < 2 || source[offset] != '-') {
      return false;
    }
    for (int i = offset + 1; i < offset + length; i++) {
      if (source[i] != '0' && source[i] != '.') {
        return false;
      }
    }
    return true;
  }

  private void quoted(byte[] source, int offset, int length) {
    sql.append((byte) '\'');
    int done = offset;
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      byte b = source[i];
      if (b == '\'' || b == '\\' || b == 0) {
        sql.append(source, done, i - done);
        sql.append((byte) '\\');
        done = i;
        if (b == 0) {
          sql.append((byte) '0');
          done = i + 1;
        }
      }
    }
    sql.append(source, done, end - done);
    sql.append((byte) '\'');
  }

  private void instant(String seconds) {
    int point = seconds.indexOf('.');
    long whole = Long.parseLong(point < 0 ? seconds : seconds.substring(0, point));
    String fraction = point < 0 ? "" : seconds.substring(point);
    if (whole == 0) {
      sql.append(ZERO_DATE);
      return;
    }
    String text = SECONDS.format(LocalDateTime.ofEpochSecond(whole, 0, ZoneOffset.UTC));
    sql.append(ascii("'" + text + fraction + "'"));
  }
}
