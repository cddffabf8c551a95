package io.anabranch.backend.registry;

import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.address.PlainConnection;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registry in tables of a MySQL or MariaDB database, over one connection that is opened again
 * when it has failed. A revision and its files are written in one transaction, and the primary key
 * gives each number once: two proxies that change the configuration at the same moment cannot both
 * succeed.
 */
public final class JdbcRegistry implements ClusterRegistry {

  private static final int NO_SUCH_TABLE = 1146;
  private static final int DUPLICATE = 1062;
  private static final String LINE = "\n";

  /** So many stay. */
  private static final long KEPT = 100;

  private static final int MOST_AUTHOR = 255;

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
              + " COMMENT='proxies of Anabranch clusters'");

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
  public JdbcRegistry(ClusterRepository.Jdbc repository) {
    this.repository = repository;
    this.url = BackendUrl.of(repository.source());
  }

  /** What is done with the connection. */
  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  @Override
  public long newest() throws RegistryException {
    return run(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT COALESCE(MAX(revision), 0) FROM anabranch_configuration"
                      + " WHERE namespace = ?")) {
            statement.setString(1, repository.namespace());
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              return row.getLong(1);
            }
          }
        });
  }

  @Override
  public @Nullable Revision revision(long number) throws RegistryException {
    List<Revision> found = run(connection -> read(connection, number, 1));
    return found.isEmpty() || found.getFirst().number() != number ? null : found.getFirst();
  }

  @Override
  public List<Revision> last(int most) throws RegistryException {
    return run(connection -> read(connection, Long.MAX_VALUE, most));
  }

  private List<Revision> read(Connection connection, long upTo, int most) throws SQLException {
    var revisions = new ArrayList<Revision>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT revision, UNIX_TIMESTAMP(published) * 1000, author, member, changes"
                + " FROM anabranch_configuration WHERE namespace = ? AND revision <= ?"
                + " ORDER BY revision DESC LIMIT "
                + most)) {
      statement.setString(1, repository.namespace());
      statement.setLong(2, upTo);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          long number = row.getLong(1);
          revisions.add(
              new Revision(
                  number,
                  Instant.ofEpochMilli(row.getBigDecimal(2).longValue()),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5).lines().toList(),
                  files(connection, number)));
        }
      }
    }
    return revisions;
  }

  private List<ConfigurationText> files(Connection connection, long number) throws SQLException {
    var texts = new ArrayList<ConfigurationText>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT file_name, content FROM anabranch_configuration_file"
                + " WHERE namespace = ? AND revision = ? ORDER BY file_name")) {
      statement.setString(1, repository.namespace());
      statement.setLong(2, number);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          texts.add(new ConfigurationText(row.getString(1), row.getString(2)));
        }
      }
    }
    return texts;
  }

  @Override
  public boolean publish(Revision revision) throws RegistryException {
    return run(
        connection -> {
          connection.setAutoCommit(false);
          try {
            insert(connection, revision);
            connection.commit();
            return true;
          } catch (SQLException failure) {
            if (failure.getErrorCode() != DUPLICATE) {
              throw failure;
            }
            connection.rollback();
            return false;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  private void insert(Connection connection, Revision revision) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO anabranch_configuration (namespace, revision, author, member, changes)"
                + " VALUES (?, ?, ?, ?, ?)")) {
      String author = revision.author();
      statement.setString(1, repository.namespace());
      statement.setLong(2, revision.number());
      statement.setString(3, author.substring(0, Math.min(author.length(), MOST_AUTHOR)));
      statement.setString(4, revision.member());
      statement.setString(5, String.join(LINE, revision.changes()));
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO anabranch_configuration_file (namespace, revision, file_name, content)"
                + " VALUES (?, ?, ?, ?)")) {
      for (ConfigurationText text : revision.texts()) {
        statement.setString(1, repository.namespace());
        statement.setLong(2, revision.number());
        statement.setString(3, text.fileName());
        statement.setString(4, text.content());
        statement.executeUpdate();
      }
    }
    for (String table : List.of("anabranch_configuration", "anabranch_configuration_file")) {
      try (PreparedStatement statement =
          connection.prepareStatement(
              "DELETE FROM " + table + " WHERE namespace = ? AND revision <= ?")) {
        statement.setString(1, repository.namespace());
        statement.setLong(2, revision.number() - KEPT);
        statement.executeUpdate();
      }
    }
  }

  @Override
  public void present(ClusterMember member) throws RegistryException {
    run(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "REPLACE INTO anabranch_member"
                      + " (namespace, id, host, port, version, revision, state, beat)"
                      + " VALUES (?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP(3))")) {
            statement.setString(1, repository.namespace());
            statement.setString(2, member.id());
            statement.setString(3, member.host());
            statement.setInt(4, member.port());
            statement.setString(5, member.version());
            statement.setLong(6, member.revision());
            statement.setString(7, member.state().name());
            return statement.executeUpdate();
          }
        });
  }

  @Override
  public void absent(String member) throws RegistryException {
    run(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "DELETE FROM anabranch_member WHERE namespace = ? AND (id = ?"
                      + " OR beat < CURRENT_TIMESTAMP(3) - INTERVAL ? SECOND)")) {
            statement.setString(1, repository.namespace());
            statement.setString(2, member);
            statement.setLong(3, repository.timeToLiveSeconds());
            return statement.executeUpdate();
          }
        });
  }

  @Override
  public List<ClusterMember> members() throws RegistryException {
    return run(
        connection -> {
          var members = new ArrayList<ClusterMember>();
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT id, host, port, version, revision, state FROM anabranch_member"
                      + " WHERE namespace = ?"
                      + " AND beat >= CURRENT_TIMESTAMP(3) - INTERVAL ? SECOND"
                      + " ORDER BY host, port, id")) {
            statement.setString(1, repository.namespace());
            statement.setLong(2, repository.timeToLiveSeconds());
            try (ResultSet row = statement.executeQuery()) {
              while (row.next()) {
                members.add(
                    new ClusterMember(
                        row.getString(1),
                        row.getString(2),
                        row.getInt(3),
                        row.getString(4),
                        row.getLong(5),
                        row.getString(6).equals(ClusterMember.State.OK.name())
                            ? ClusterMember.State.OK
                            : ClusterMember.State.REFUSED));
              }
            }
          }
          return members;
        });
  }

  // ---------------------------------------------------------------- the connection

  private synchronized <T> T run(Work<T> work) throws RegistryException {
    Connection connection = null;
    try {
      connection = connection();
      return work.with(connection);
    } catch (SQLException failure) {
      drop(connection);
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
                  + " anabranch_member LIMIT 0")) {
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
