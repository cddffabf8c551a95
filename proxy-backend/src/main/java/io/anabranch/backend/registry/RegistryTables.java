package io.anabranch.backend.registry;

import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.address.PlainConnection;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a {@link JdbcRegistry}, and the one connection to them, which is opened again when
 * it has failed. Thread-safe: one after the other.
 */
final class RegistryTables implements AutoCloseable {

  private static final int NO_SUCH_TABLE = 1146;

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE IF NOT EXISTS anabranch_configuration ("
              + "namespace VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " revision BIGINT NOT NULL,"
              + " published TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
              + " author VARCHAR(255) NOT NULL, member VARCHAR(64) NOT NULL,"
              + " changes MEDIUMTEXT NOT NULL, PRIMARY KEY (namespace, revision))"
              + " ENGINE=InnoDB CHARACTER SET utf8mb4"
              + " COMMENT='revisions of the configuration of Anabranch clusters'",
          "CREATE TABLE IF NOT EXISTS anabranch_configuration_file ("
              + "namespace VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " revision BIGINT NOT NULL,"
              + " file_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,"
              + " content MEDIUMTEXT NOT NULL, PRIMARY KEY (namespace, revision, file_name))"
              + " ENGINE=InnoDB CHARACTER SET utf8mb4"
              + " COMMENT='files of these revisions'",
          "CREATE TABLE IF NOT EXISTS anabranch_member ("
              + "namespace VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " host VARCHAR(255) NOT NULL, port INT NOT NULL, version VARCHAR(64) NOT NULL,"
              + " revision BIGINT NOT NULL, state VARCHAR(16) NOT NULL,"
              + " beat TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
              + " PRIMARY KEY (namespace, id)) ENGINE=InnoDB CHARACTER SET utf8mb4"
              + " COMMENT='proxies of Anabranch clusters'",
          "CREATE TABLE IF NOT EXISTS anabranch_member_number ("
              + "namespace VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " number INT NOT NULL,"
              + " member VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " beat TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
              + " PRIMARY KEY (namespace, number), UNIQUE KEY (namespace, member))"
              + " ENGINE=InnoDB CHARACTER SET utf8mb4"
              + " COMMENT='what connection ids of these proxies begin with'",
          "CREATE TABLE IF NOT EXISTS anabranch_member_question ("
              + "id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,"
              + " namespace VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " member VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
              + " question MEDIUMTEXT NOT NULL, answer MEDIUMTEXT NULL,"
              + " asked TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),"
              + " KEY (namespace, member)) ENGINE=InnoDB CHARACTER SET utf8mb4"
              + " COMMENT='what these proxies ask each other'");

  private final ClusterRepository.Jdbc repository;
  private final BackendUrl url;
  private @Nullable Connection open;
  private boolean hasTables;
  private boolean isClosed;

  /**
   * Opens nothing yet.
   *
   * @throws IllegalArgumentException for a URL that is none
   */
  RegistryTables(ClusterRepository.Jdbc repository) {
    this.repository = repository;
    this.url = BackendUrl.of(repository.source());
  }

  /** What is done with the connection. */
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * @throws RegistryException if the work fails; the next one begins with a new connection
   */
  synchronized <T> T run(Work<T> work) throws RegistryException {
    Connection connection = null;
    try {
      connection = connection();
      return work.with(connection);
    } catch (SQLException failure) {
      drop(connection == null ? open : connection);
      throw new RegistryException(
          "the registry at " + url.place() + ": " + failure.getMessage(), failure);
    }
  }

  private Connection connection() throws SQLException {
    if (isClosed) {
      throw new SQLException("the proxy ends");
    }
    Connection current = open;
    if (current == null) {
      current = PlainConnection.open(repository.source(), url, repository.timeoutMilliseconds());
      open = current;
      try (Statement statement = current.createStatement()) {
        // of other time zones an hour is there twice, or not at all: members would be late by it
        statement.execute("SET time_zone = '+00:00'");
      }
    }
    if (!hasTables) {
      create(current);
      hasTables = true;
    }
    return current;
  }

  /** Creates the tables where they are absent; asks for no right to do so where they are not. */
  private static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet _ =
          statement.executeQuery(
              "SELECT 1 FROM anabranch_configuration, anabranch_configuration_file,"
                  + " anabranch_member, anabranch_member_number, anabranch_member_question"
                  + " LIMIT 0")) {
        return;
      } catch (SQLException absent) {
        if (absent.getErrorCode() != NO_SUCH_TABLE) {
          throw absent;
        }
      }
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
  }

  /** Whatever has failed: the next call begins with a new connection. */
  private void drop(@Nullable Connection failed) {
    open = null;
    // the next connection may lead to another server, or the tables be what was missing
    hasTables = false;
    if (failed == null) {
      return;
    }
    try {
      // a polite goodbye would wait for a server that hangs
      failed.abort(Runnable::run);
    } catch (SQLException broken) {
      // it is closed all the same
      return;
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    drop(open);
  }
}
