package io.anabranch.app.cli;

import io.anabranch.app.cli.text.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sql}: runs statements in the running proxy. */
@Command(
    name = "sql",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Runs statements in the running proxy, one after the other on one connection.",
      "Without one, or with -, a statement is read from standard input."
    })
final class SqlCommand implements Callable<Integer> {

  /** SQLSTATEs of connections that do not come about. */
  private static final String NO_CONNECTION = "08";

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ClientOptions options = new ClientOptions();

  @Option(names = "--tsv", description = "columns with tabs between them, for other programs")
  private boolean hasTabs;

  @Parameters(arity = "0..*", paramLabel = "SQL", description = "each a statement")
  private List<String> statements = List.of();

  SqlCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    ClientOptions.Login login = options.login(surroundings);
    try (Connection connection = DriverManager.getConnection(login.url(), login.properties());
        Statement statement = connection.createStatement()) {
      for (String each : statements.isEmpty() ? List.of("-") : statements) {
        run(statement, each.equals("-") ? typed() : each);
      }
      return 0;
    } catch (SQLException e) {
      String state = e.getSQLState();
      boolean isUnreachable = state != null && state.startsWith(NO_CONNECTION);
      throw new CommandFailure(
          isUnreachable ? Anabranch.UNREACHABLE : Anabranch.FAILED,
          "ERROR %d (%s): %s".formatted(e.getErrorCode(), state, e.getMessage()));
    }
  }

  private String typed() throws IOException {
    var text = new StringWriter();
    surroundings.input().transferTo(text);
    return text.toString().strip().replaceFirst(";$", "");
  }

  private void run(Statement statement, String sql) throws SQLException {
    boolean hasRows = statement.execute(sql);
    while (hasRows || statement.getUpdateCount() >= 0) {
      PrintWriter out = Output.of(spec);
      if (hasRows) {
        try (ResultSet rows = statement.getResultSet()) {
          print(out, table(rows));
        }
      } else if (!hasTabs) {
        out.printf("%d row(s) affected%n", statement.getUpdateCount());
      }
      hasRows = statement.getMoreResults();
    }
  }

  private void print(PrintWriter out, TextTable table) {
    if (hasTabs) {
      table.printTabs(out);
    } else if (table.size() == 0) {
      out.println("no rows");
    } else {
      table.print(out);
      out.printf("%d row(s)%n", table.size());
    }
  }

  private static TextTable table(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    var titles = new ArrayList<String>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      titles.add(columns.getColumnLabel(i));
    }
    var table = new TextTable(titles);
    while (rows.next()) {
      var cells = new ArrayList<@Nullable String>();
      for (int i = 1; i <= titles.size(); i++) {
        cells.add(rows.getString(i));
      }
      table.add(cells);
    }
    return table;
  }
}
