package io.anabranch.backend.pool;

import io.anabranch.backend.health.Asker;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.address.PlainConnection;
import io.anabranch.rules.model.DataSourceDefinition;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection of its own for questions about a data source's health: no pool, no permit, and a
 * limit on each answer, so that a database that hangs is noticed.
 */
final class ProbeConnection implements Asker {

  private final Connection connection;

  private ProbeConnection(Connection connection) {
    this.connection = connection;
  }

  static Asker open(DataSourceDefinition definition, BackendUrl url, long timeoutMilliseconds)
      throws AskException {
    try {
      return new ProbeConnection(PlainConnection.open(definition, url, timeoutMilliseconds));
    } catch (SQLException failure) {
      throw new AskException(0, String.valueOf(failure.getMessage()), failure);
    }
  }

  @Override
  public List<Map<String, @Nullable String>> ask(String sql) throws AskException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      ResultSetMetaData columns = result.getMetaData();
      var rows = new ArrayList<Map<String, @Nullable String>>();
      while (result.next()) {
        var row = new HashMap<String, @Nullable String>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          row.put(columns.getColumnLabel(i).toLowerCase(Locale.ROOT), result.getString(i));
        }
        rows.add(row);
      }
      return rows;
    } catch (SQLException failure) {
      String state = failure.getSQLState();
      boolean isLost = state == null || state.startsWith("08");
      throw new AskException(
          isLost ? 0 : failure.getErrorCode(), String.valueOf(failure.getMessage()), failure);
    }
  }

  @Override
  public void close() {
    try {
      // A polite goodbye would wait for a server that hangs.
      connection.abort(Runnable::run);
    } catch (SQLException broken) {
      // It is closed all the same.
      return;
    }
  }
}
