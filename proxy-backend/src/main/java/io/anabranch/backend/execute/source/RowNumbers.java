package io.anabranch.backend.execute.source;

import io.anabranch.backend.shard.ShardException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code … at row 3}: databases count the rows that they got, clients those that they sent. */
public final class RowNumbers {

  private static final Pattern ROW = Pattern.compile("(?<= at row )\\d+");

  private RowNumbers() {}

  /**
   * @param rows for each row of the database's statement its number in the client's; empty: they
   *     are the same
   */
  public static String in(String message, int[] rows) {
    Matcher row = ROW.matcher(message);
    if (rows.length == 0 || !row.find()) {
      return message;
    }
    int number = Integer.parseInt(row.group());
    return number < 1 || number > rows.length
        ? message
        : row.replaceFirst(Integer.toString(rows[number - 1]));
  }

  /** The same in rows of SHOW WARNINGS. */
  static List<List<String>> in(List<List<String>> told, int[] rows) {
    return told.stream().map(row -> List.of(row.get(0), row.get(1), in(row.get(2), rows))).toList();
  }

  public static RuntimeException in(RuntimeException failure, int[] rows) {
    return failure instanceof ShardException.Database refused && refused.getMessage() != null
        ? refused.saying(in(refused.getMessage(), rows)).among(in(refused.problems(), rows))
        : failure;
  }

  /** The message with a number that is higher by {@code count}. */
  public static String behind(int count, String message) {
    Matcher row = ROW.matcher(message);
    return count == 0 || !row.find()
        ? message
        : row.replaceFirst(Integer.toString(Integer.parseInt(row.group()) + count));
  }

  /** The number in a message; {@code otherwise} where there is none. */
  public static int of(String message, int otherwise) {
    Matcher row = ROW.matcher(message);
    return row.find() ? Integer.parseInt(row.group()) : otherwise;
  }
}
