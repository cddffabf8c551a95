package io.anabranch.backend.relay.command;

import io.anabranch.rules.plan.ResultColumn;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What the database says about a prepared statement, names as the database has them.
 *
 * @param parameters one definition per {@code ?}
 * @param columns empty for statements without a result set
 */
public record PreparedShape(
    List<ResultColumn> parameters, List<ResultColumn> columns, int warnings) {
  public PreparedShape {
    parameters = List.copyOf(parameters);
    columns = List.copyOf(columns);
  }

  /**
   * The shape of which every character is a byte, as the relay tells it, with the names that those
   * bytes are.
   *
   * @param results the character set of the connection's results
   */
  public PreparedShape in(Charset results) {
    return results.equals(StandardCharsets.ISO_8859_1)
        ? this
        : new PreparedShape(
            parameters.stream().map(column -> in(results, column)).toList(),
            columns.stream().map(column -> in(results, column)).toList(),
            warnings);
  }

  private static ResultColumn in(Charset results, ResultColumn column) {
    return column.named(
        in(results, column.schema()),
        in(results, column.table()),
        in(results, column.orgTable()),
        in(results, column.name()),
        in(results, column.orgName()));
  }

  private static String in(Charset results, String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), results);
  }
}
