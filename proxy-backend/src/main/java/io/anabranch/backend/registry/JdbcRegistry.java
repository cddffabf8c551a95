package io.anabranch.backend.registry;

import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The registry in tables of a MySQL or MariaDB database, over one connection that is opened again
 * when it has failed. A revision and its files are written in one transaction, and the primary key
 * gives each number once: two proxies that change the configuration at the same moment cannot both
 * succeed.
 */
public final class JdbcRegistry implements ClusterRegistry {

  private static final int DUPLICATE = 1062;
  private static final String LINE = "\n";

  /** So many stay. */
  private static final long KEPT = 100;

  private static final int MOST_AUTHOR = 255;

  private final ClusterRepository.Jdbc repository;
  private final RegistryTables tables;
  private final JdbcQuestions questions;

  /**
   * Opens nothing yet.
   *
   * @throws IllegalArgumentException for a URL that is none
   */
  public JdbcRegistry(ClusterRepository.Jdbc repository) {
    this.repository = repository;
    this.tables = new RegistryTables(repository);
    this.questions = new JdbcQuestions(repository.namespace());
  }

  @Override
  public long newest() throws RegistryException {
    return tables.run(
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
    List<Revision> found = tables.run(connection -> read(connection, number, 1));
    return found.isEmpty() || found.getFirst().number() != number ? null : found.getFirst();
  }

  @Override
  public List<Revision> last(int most) throws RegistryException {
    return tables.run(connection -> read(connection, Long.MAX_VALUE, most));
  }

  /** One statement: its files are those of the revision, whoever publishes or removes others. */
  private List<Revision> read(Connection connection, long upTo, int most) throws SQLException {
    var revisions = new ArrayList<Revision>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT r.revision, r.published, r.author, r.member, r.changes, f.file_name, f.content"
                + " FROM (SELECT revision, UNIX_TIMESTAMP(published) * 1000 AS published, author,"
                + " member, changes FROM anabranch_configuration"
                + " WHERE namespace = ? AND revision <= ? ORDER BY revision DESC LIMIT "
                + most
                + ") AS r JOIN anabranch_configuration_file AS f"
                + " ON f.namespace = ? AND f.revision = r.revision"
                + " ORDER BY r.revision DESC, f.file_name")) {
      statement.setString(1, repository.namespace());
      statement.setLong(2, upTo);
      statement.setString(3, repository.namespace());
      try (ResultSet row = statement.executeQuery()) {
        boolean isThere = row.next();
        while (isThere) {
          long number = row.getLong(1);
          Instant published = Instant.ofEpochMilli(row.getBigDecimal(2).longValue());
          String author = row.getString(3);
          String member = row.getString(4);
          List<String> changes = row.getString(5).lines().toList();
          var texts = new ArrayList<ConfigurationText>();
          while (isThere && row.getLong(1) == number) {
            texts.add(new ConfigurationText(row.getString(6), row.getString(7)));
            isThere = row.next();
          }
          revisions.add(new Revision(number, published, author, member, changes, texts));
        }
      }
    }
    return revisions;
  }

  @Override
  public boolean publish(Revision revision) throws RegistryException {
    return tables.run(
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
    tables.run(
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
    tables.run(
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(
                  "DELETE FROM anabranch_member WHERE namespace = ? AND (id = ?"
                      + " OR beat < CURRENT_TIMESTAMP(3) - INTERVAL ? SECOND)")) {
            statement.setString(1, repository.namespace());
            statement.setString(2, member);
            statement.setLong(3, repository.timeToLiveSeconds());
            statement.executeUpdate();
          }
          return SessionNumbers.giveBack(connection, repository.namespace(), member);
        });
  }

  @Override
  public List<ClusterMember> members() throws RegistryException {
    return tables.run(
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

  @Override
  public int number(String member, int most) throws RegistryException {
    return tables.run(
        connection -> SessionNumbers.of(connection, repository.namespace(), member, most));
  }

  // ---------------------------------------------------------------- questions

  @Override
  public String ask(String member, String text) throws RegistryException {
    return tables.run(connection -> questions.ask(connection, member, text));
  }

  @Override
  public List<MemberQuestion> questions(String member) throws RegistryException {
    return tables.run(connection -> questions.of(connection, member));
  }

  @Override
  public void answer(MemberQuestion question, String answer) throws RegistryException {
    tables.run(connection -> questions.answer(connection, question, answer));
  }

  @Override
  public @Nullable String answered(String question) throws RegistryException {
    return tables
        .run(connection -> Optional.ofNullable(questions.answered(connection, question)))
        .orElse(null);
  }

  @Override
  public void forget(String question) throws RegistryException {
    tables.run(connection -> questions.forget(connection, question));
  }

  @Override
  public void close() {
    tables.close();
  }
}
