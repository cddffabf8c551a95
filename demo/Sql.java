import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A small SQL client for the demo, so that it needs no other: runs the statements of a file, or of
 * one argument, and prints comments, statements and results when asked to.
 */
public final class Sql {

  private static final int WIDEST = 120;

  private Sql() {}

  public static void main(String[] args) throws Exception {
    if (args.length != 6 || !List.of("show", "quiet").contains(args[0])) {
      System.err.println("usage: Sql show|quiet PORT USER PASSWORD DATABASE FILE.sql|STATEMENTS");
      System.exit(2);
    }
    boolean show = args[0].equals("show");
    String text = args[5].endsWith(".sql") ? Files.readString(Path.of(args[5])) : args[5];
    String url =
        "jdbc:mariadb://127.0.0.1:" + args[1] + "/" + args[4] + "?allowPublicKeyRetrieval=true";
    String sql = "";
    try (Connection connection = DriverManager.getConnection(url, args[2], args[3]);
        Statement statement = connection.createStatement()) {
      var pending = new StringBuilder();
      for (String line : text.split("\n", -1)) {
        if (line.startsWith("--")) {
          if (show) {
            System.out.println("\n" + line);
          }
          continue;
        }
        pending.append(pending.isEmpty() ? "" : "\n").append(line);
        if (line.endsWith(";")) {
          sql = pending.toString().strip();
          pending.setLength(0);
          run(statement, sql, show);
        }
      }
      sql = pending.toString().strip();
      if (!sql.isEmpty()) {
        run(statement, sql, show);
      }
    } catch (SQLException e) {
      System.err.println(
          "ERROR " + e.getErrorCode() + " (" + e.getSQLState() + "): " + e.getMessage());
      System.err.println(sql);
      System.exit(1);
    }
  }

  private static void run(Statement statement, String sql, boolean show) throws SQLException {
    if (show) {
      System.out.println("> " + sql);
    }
    boolean rows = statement.execute(sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql);
    if (rows) {
      try (ResultSet result = statement.getResultSet()) {
        print(result, show);
      }
    } else if (show) {
      System.out.println("OK, " + statement.getUpdateCount() + " rows affected");
    }
  }

  /** Plans are trees and shard queries are long: their beginning says enough here. */
  private static String shortened(String cell) {
    String line = cell.lines().findFirst().orElse("");
    return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 4) + " ...";
  }

  private static void print(ResultSet result, boolean show) throws SQLException {
    ResultSetMetaData columns = result.getMetaData();
    int count = columns.getColumnCount();
    var lines = new ArrayList<String[]>();
    var head = new String[count];
    for (int i = 0; i < count; i++) {
      head[i] = columns.getColumnLabel(i + 1);
    }
    if (show) {
      lines.add(head);
    }
    while (result.next()) {
      var line = new String[count];
      for (int i = 0; i < count; i++) {
        line[i] = shortened(String.valueOf(result.getString(i + 1)));
      }
      lines.add(line);
    }
    var widths = new int[count];
    for (String[] line : lines) {
      for (int i = 0; i < count; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    for (String[] line : lines) {
      var text = new StringBuilder(show ? "  " : "");
      for (int i = 0; i < count; i++) {
        text.append(
            i == count - 1 ? line[i] : line[i] + " ".repeat(widths[i] - line[i].length() + 2));
      }
      System.out.println(text);
    }
  }
}
