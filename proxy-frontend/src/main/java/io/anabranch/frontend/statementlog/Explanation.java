package io.anabranch.frontend.statementlog;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a data source has answered to EXPLAIN of a statement.
 *
 * @param rows behind the names of the columns; empty where it failed
 * @param errno 0: it succeeded
 */
public record Explanation(String dataSource, List<List<@Nullable String>> rows, int errno) {

  private static final int MOST_ROWS = 100;

  public Explanation {
    rows = List.copyOf(rows.subList(0, Math.min(rows.size(), 1 + MOST_ROWS)));
  }

  static Explanation failed(String dataSource, int errno) {
    return new Explanation(dataSource, List.of(), errno);
  }

  /** A line for each row, the names first, tabulators between cells. */
  List<String> lines() {
    return errno == 0 ? rows.stream().map(Explanation::line).toList() : List.of("error " + errno);
  }

  private static String line(List<@Nullable String> row) {
    return row.stream()
        .map(cell -> cell == null ? "NULL" : cell.replaceAll("\\s", " "))
        .collect(Collectors.joining("\t"));
  }

  /** The same, one behind the other. */
  public String text() {
    return String.join("\n", lines());
  }
}
