package io.anabranch.app.encrypt;

import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.sql.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One table of one server, page after page by its primary key. What is stored already is left as it
 * is: a run that was cut off is gone on with by another one, which also finds what has changed.
 */
final class PartEncryption {

  private final Connection connection;
  private final ActualTable table;
  private final String from;
  private final StoredRow forms;
  private final int page;
  private final String head;
  private final String behind;
  private final String tail;
  private final String update;
  private final boolean overwrites;

  /**
   * @param from the column with plain values
   * @param page rows of a transaction
   * @param overwrites whether plain values are right where others are stored
   */
  PartEncryption(
      Connection connection,
      ActualTable table,
      String from,
      StoredRow forms,
      int page,
      boolean overwrites) {
    this.connection = connection;
    this.table = table;
    this.from = from;
    this.forms = forms;
    this.page = page;
    this.overwrites = overwrites;
    List<String> stored =
        forms.column().stored().stream().map(EncryptedColumn.Stored::name).toList();
    String keys = table.keys().stream().map(TableNames::quoted).collect(Collectors.joining(", "));
    head =
        "SELECT %s, %s, %s FROM %s"
            .formatted(
                keys,
                TableNames.quoted(from),
                stored.stream().map(TableNames::quoted).collect(Collectors.joining(", ")),
                TableNames.quoted(table.name()));
    behind = " WHERE " + behind(table.keys());
    tail = " ORDER BY " + keys + " LIMIT " + page;
    update =
        "UPDATE %s SET %s WHERE %s"
            .formatted(
                TableNames.quoted(table.name()),
                Stream.concat(
                        stored.stream().map(each -> TableNames.quoted(each) + " = ?"),
                        // the rows say what they have said: nobody has changed them
                        table.moments().stream()
                            .map(TableNames::quoted)
                            .map(each -> each + " = " + each))
                    .collect(Collectors.joining(", ")),
                table.keys().stream()
                    .map(each -> TableNames.quoted(each) + " = ?")
                    .collect(Collectors.joining(" AND ")));
  }

  /**
   * Counts.
   *
   * @param others rows of which what is stored was missing or differed
   * @param kept those of them that are as they were, for they have another value
   */
  record Result(long rows, long others, long kept) {}

  /** {@code a > ? OR (a = ? AND (b > ?))}: servers use the key for it. */
  private static String behind(List<String> keys) {
    String first = TableNames.quoted(keys.getFirst());
    return keys.size() == 1
        ? first + " > ?"
        : "(%s > ? OR (%s = ? AND %s))"
            .formatted(first, first, behind(keys.subList(1, keys.size())));
  }

  /** A row as it was read. */
  private record Row(List<Object> key, @Nullable String plain, List<@Nullable String> stored) {}

  /**
   * Writes what is missing or differs.
   *
   * @param progress is told how many rows have been looked at
   * @return rows, and how many of them were not as they should be
   */
  Result write(LongConsumer progress) throws SQLException {
    return each(
        " FOR UPDATE",
        progress,
        different -> {
          List<Row> written =
              different.stream()
                  .filter(row -> overwrites || !forms.hasOther(row.plain(), row.stored()))
                  .toList();
          if (!written.isEmpty()) {
            store(written);
          }
          connection.commit();
          return different.size() - written.size();
        });
  }

  /**
   * Compares what is stored with the plain values.
   *
   * @return rows, and how many of them differ
   */
  Result verify(LongConsumer progress) throws SQLException {
    return each(
        "",
        progress,
        different -> {
          connection.commit();
          return different.size();
        });
  }

  private interface Page {
    /** How many of these rows are left as they are. */
    int of(List<Row> different) throws SQLException;
  }

  private Result each(String locking, LongConsumer progress, Page done) throws SQLException {
    long rows = 0;
    long others = 0;
    long kept = 0;
    List<Object> last = List.of();
    List<Row> read;
    do {
      read = read(last, locking);
      List<Row> different =
          read.stream().filter(row -> !forms.isOf(row.plain(), row.stored())).toList();
      kept += done.of(different);
      rows += read.size();
      others += different.size();
      progress.accept(rows);
      last = read.isEmpty() ? last : read.getLast().key();
    } while (read.size() == page);
    return new Result(rows, others, kept);
  }

  private List<Row> read(List<Object> last, String locking) throws SQLException {
    String sql = head + (last.isEmpty() ? "" : behind) + tail + locking;
    var rows = new ArrayList<Row>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      if (!last.isEmpty()) {
        bindBehind(statement, last);
      }
      int keys = table.keys().size();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          var key = new ArrayList<Object>();
          for (int i = 0; i < keys; i++) {
            key.add(key(row, i));
          }
          var stored = new ArrayList<@Nullable String>();
          for (int i = 0; i < forms.column().stored().size(); i++) {
            stored.add(row.getString(keys + 2 + i));
          }
          rows.add(new Row(key, row.getString(keys + 1), stored));
        }
      }
    }
    return rows;
  }

  private Object key(ResultSet row, int index) throws SQLException {
    String name = table.keys().get(index);
    if (table.isOfBytes(name)) {
      return row.getBytes(index + 1);
    }
    return table.isOfNumbers(name) ? row.getBigDecimal(index + 1) : row.getString(index + 1);
  }

  /** Each but the last column stands there twice. */
  private static void bindBehind(PreparedStatement statement, List<Object> key)
      throws SQLException {
    int marker = 1;
    for (int i = 0; i < key.size(); i++) {
      statement.setObject(marker++, key.get(i));
      if (i + 1 < key.size()) {
        statement.setObject(marker++, key.get(i));
      }
    }
  }

  private void store(List<Row> different) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(update)) {
      for (Row row : different) {
        List<@Nullable String> stored = forms.of(row.plain());
        int marker = 1;
        for (String each : stored) {
          statement.setString(marker++, each);
        }
        for (Object key : row.key()) {
          statement.setObject(marker++, key);
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public String toString() {
    return table.name() + "." + from;
  }
}
