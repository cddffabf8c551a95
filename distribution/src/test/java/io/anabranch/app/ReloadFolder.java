package io.anabranch.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.MariaDbServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A folder of configuration files that change while a proxy runs on them. */
final class ReloadFolder {

  private final Path folder;

  ReloadFolder(Path folder) {
    this.folder = folder;
  }

  Path path() {
    return folder;
  }

  /** Users: the proxy's own, an administrator, and one who is none. */
  void global(String props) throws IOException {
    write(
        "global.yaml",
        """
        authority:
          users:
          - { user: "%s@%%", password: %s, admin: true }
          - { user: plain, password: plain }
          privilege: { type: ALL_PERMITTED }
        props: { proxy-admin-port: 0, proxy-frontend-executor-size: 2, proxy-drain-timeout-milliseconds: 2000%s }
        """
            .formatted(RunningProxy.USER, RunningProxy.PASSWORD, props));
  }

  void write(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  void delete(String name) throws IOException {
    Files.delete(folder.resolve(name));
  }

  /** A data source's line. */
  static String source(String name, DatabaseServer server, String schema, int most) {
    return "  %s: { url: \"%s\", username: %s, password: %s, maxPoolSize: %d, minPoolSize: 1, connectionTimeoutMilliseconds: 5000 }\n"
        .formatted(name, server.url(schema), MariaDbServer.USER, MariaDbServer.PASSWORD, most);
  }

  static List<String> column(Connection client, String sql) throws SQLException {
    var values = new ArrayList<String>();
    try (Statement statement = client.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  static String one(Connection client, String sql) throws SQLException {
    List<String> values = column(client, sql);
    assertThat(values).hasSize(1);
    return values.getFirst();
  }
}
