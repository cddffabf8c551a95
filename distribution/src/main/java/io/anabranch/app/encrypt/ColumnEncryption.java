package io.anabranch.app.encrypt;

import io.anabranch.app.encrypt.PartEncryption.Result;
import io.anabranch.backend.pool.address.BackendUrl;
import io.anabranch.backend.pool.address.PlainConnection;
import io.anabranch.rules.algorithm.encrypt.Encryptor.Decryptor;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ReplicationGroup;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Stores what {@code !ENCRYPT} says of a column for the plain values that its table has, on all
 * data sources, and compares it afterwards. The plain values stay: who is content drops them.
 */
public final class ColumnEncryption {

  private static final long TIMEOUT_MILLISECONDS = 60_000;
  private static final long TOLD_EVERY = 100_000;

  private final LogicalDatabase database;
  private final EncryptedTable table;
  private final EncryptedColumn column;
  private final Decryptor decryptor;
  private final String from;
  private final int page;

  /** What is written. */
  public enum Writing {
    NOTHING,
    /** Where nothing is stored, or what no one can read. */
    MISSING,
    /** Where another value is stored, too: before the rule is in force plain values are right. */
    ALL
  }

  /**
   * What was done.
   *
   * @param rows that were looked at
   * @param written those of which something was missing, or differed
   * @param differing those that differed afterwards: others have changed them meanwhile
   */
  public record Outcome(long rows, long written, long differing) {}

  /**
   * @param table logical
   * @param column as clients call it
   * @param from the column in which plain values are
   * @param page rows of a transaction
   * @throws EncryptionFailure if no rule is about it, or the plain column would be written over
   */
  public ColumnEncryption(
      LogicalDatabase database, String table, String column, String from, int page)
      throws EncryptionFailure {
    EncryptedTable found = database.encryption().table(table);
    EncryptedColumn wanted = found == null ? null : found.column(column);
    if (found == null || wanted == null) {
      throw new EncryptionFailure(
          "database %s has no rule !ENCRYPT for %s.%s".formatted(database.name(), table, column));
    }
    for (EncryptedColumn.Stored stored : wanted.stored()) {
      if (stored.name().equalsIgnoreCase(from)) {
        throw new EncryptionFailure(
            "plain values are in %s, where the rule stores others: give it another name in the rule, or rename the column and say --from"
                .formatted(from));
      }
    }
    Decryptor back = wanted.cipher().encryptor().decryptor();
    if (back == null) {
      throw new EncryptionFailure(
          "the encryptor of " + wanted.cipher().name() + " has no way back");
    }
    this.database = database;
    this.table = found;
    this.column = wanted;
    this.decryptor = back;
    this.from = from;
    this.page = page;
  }

  /**
   * Does it. Blocks as long as it takes; may be ended, and begun again, at any time.
   *
   * @param told lines for the operator
   * @throws EncryptionFailure if a server does not answer, or a table is not as it must be
   */
  public Outcome run(Writing writes, Consumer<String> told) throws EncryptionFailure {
    var outcome = new Outcome(0, 0, 0);
    for (DataNode node : parts()) {
      outcome = of(node, writes, told, outcome);
    }
    return outcome;
  }

  /** Where the table's rows are. */
  private List<DataNode> parts() throws EncryptionFailure {
    ShardedTable sharded = database.shardedTables().get(table.name().toLowerCase(Locale.ROOT));
    if (sharded != null) {
      return sharded.nodes();
    }
    var found = new ArrayList<DataNode>();
    for (String endpoint : database.endpoints()) {
      DataSourceDefinition source = source(endpoint);
      try (Connection connection = open(source)) {
        if (ActualTable.of(connection, table.name()).exists()) {
          found.add(new DataNode(endpoint, table.name()));
        }
      } catch (SQLException e) {
        throw failed(source, e);
      }
    }
    if (found.isEmpty()) {
      throw new EncryptionFailure("no data source has the table " + table.name());
    }
    return found;
  }

  /** Of a group its primary. */
  private DataSourceDefinition source(String endpoint) {
    ReplicationGroup group = database.groups().get(endpoint);
    String name = group == null ? endpoint : group.primary();
    DataSourceDefinition source = database.dataSources().get(name);
    if (source == null) {
      throw new IllegalStateException("no data source " + name);
    }
    return source;
  }

  private static Connection open(DataSourceDefinition source) throws SQLException {
    Connection connection =
        PlainConnection.open(source, BackendUrl.of(source), TIMEOUT_MILLISECONDS);
    try (Statement statement = connection.createStatement()) {
      // a value that does not fit is an error, and moments are told back as they came
      statement.execute("SET sql_mode = 'STRICT_ALL_TABLES', time_zone = '+00:00'");
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static EncryptionFailure failed(DataSourceDefinition source, SQLException cause) {
    return new EncryptionFailure("data source " + source.name() + ": " + cause.getMessage(), cause);
  }

  private Outcome of(DataNode node, Writing writes, Consumer<String> told, Outcome before)
      throws EncryptionFailure {
    DataSourceDefinition source = source(node.dataSource());
    String place = source.name() + "." + node.table();
    try (Connection connection = open(source)) {
      ActualTable actual = ActualTable.of(connection, node.table());
      if (!actual.exists()) {
        throw new EncryptionFailure("data source " + source.name() + " has no " + node.table());
      }
      actual.check(from, column.stored().stream().map(EncryptedColumn.Stored::name).toList());
      var part =
          new PartEncryption(
              connection,
              actual,
              from,
              new StoredRow(column, decryptor),
              page,
              writes == Writing.ALL);
      Result done =
          writes == Writing.NOTHING
              ? new Result(0, 0, 0)
              : part.write(rows -> tell(told, place, "written", rows));
      long written = done.others() - done.kept();
      Result compared = part.verify(rows -> tell(told, place, "compared", rows));
      told.accept(
          "%s: %d rows, %d written, %d differ"
              .formatted(place, compared.rows(), written, compared.others()));
      return new Outcome(
          before.rows() + compared.rows(),
          before.written() + written,
          before.differing() + compared.others());
    } catch (SQLException e) {
      throw failed(source, e);
    }
  }

  private void tell(Consumer<String> told, String place, String what, long rows) {
    if (rows >= TOLD_EVERY && rows % TOLD_EVERY < page) {
      told.accept("%s: %d rows %s".formatted(place, rows, what));
    }
  }
}
