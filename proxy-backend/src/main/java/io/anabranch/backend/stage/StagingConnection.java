package io.anabranch.backend.stage;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.row.RowFormat;
import io.anabranch.backend.row.RowStream;
import io.anabranch.backend.shard.DatabaseWait;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StagedTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection with temporary tables, from the first of them to the last. It takes no part
 * in any transaction of the session. Used by one thread.
 *
 * <p>However the statement ends, {@link #end} comes last: the connection goes back to its pool only
 * if it surely has none of the tables any more, otherwise it is closed, which drops them.
 */
public final class StagingConnection {

  /** No conversion, no refused and no replaced value: what one table holds, the other can. */
  private static final SessionSettings COPYING =
      new SessionSettings(
          45,
          Map.of(
              "sql_mode", "'STRICT_ALL_TABLES,ALLOW_INVALID_DATES,NO_AUTO_VALUE_ON_ZERO'",
              "time_zone", "'+00:00'"));

  /** The connection's own without ONLY_FULL_GROUP_BY, and without ANSI, which has it in it. */
  private static final String ANY_GROUP =
      "REPLACE(REPLACE(CONCAT(',', @@sql_mode, ','), ',ONLY_FULL_GROUP_BY,', ','), ',ANSI,', ',')";

  /** Of one INSERT; well below the smallest max_allowed_packet that servers come with. */
  private static final int BATCH_BYTES = 512 * 1024;

  private static final int ACCESS_DENIED = 1227;

  /** ER_TABLE_WITHOUT_PK, and ER_REQUIRES_PRIMARY_KEY of MariaDB. */
  private static final Set<Integer> KEY_REQUIRED = Set.of(3750, 1173);

  private static final String ROW_KEY =
      ", ab_row BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY INVISIBLE)";

  private final Lease lease;
  private final List<String> tables = new ArrayList<>();
  private @Nullable ShardCursor open;
  private boolean isUnsound;
  private boolean isUnlogged;
  private boolean isEnded;

  /**
   * @param lease outside of any transaction; ended by {@link #end}
   */
  public StagingConnection(Lease lease) {
    this.lease = lease;
  }

  public Lease lease() {
    return lease;
  }

  /** Makes ready for {@link #fill}. */
  public void begin() {
    apply(COPYING);
    keepOutOfLog();
  }

  /** Replicas have no use for the copies; without the privilege they get them. */
  private void keepOutOfLog() {
    try {
      run("SET SESSION sql_log_bin = 0");
      isUnlogged = true;
    } catch (ShardException.Database refused) {
      if (refused.errno() != ACCESS_DENIED) {
        throw refused;
      }
    }
  }

  /**
   * Makes a table and copies all rows into it.
   *
   * @param rows closed by the caller
   * @param keys gets those of the rows
   * @throws io.anabranch.rules.error.RefusedException MERGE_LIMIT, or NOT_EXACT if the server would
   *     change a value
   */
  public void fill(
      StagedTable table, RowStream rows, RowFormat format, StageBudget budget, StageKeys keys) {
    tables.add(table.name());
    create(table.name(), table.definition(), this::run);
    boolean checks = table.definition().contains("CHECK (");
    if (checks) {
      // a row may be older than the CHECK, or have been written without
      isUnsound = true;
      run("SET SESSION check_constraint_checks = 0");
    }
    var batch = new InsertBatch(table, rows.columns(), format, keys.of(table));
    for (byte[] row = rows.next(); row != null; row = rows.next()) {
      budget.row();
      batch.add(row);
      if (batch.bytes() >= BATCH_BYTES) {
        insert(batch, budget);
      }
    }
    if (!batch.isEmpty()) {
      insert(batch, budget);
    }
    if (checks) {
      run("SET SESSION check_constraint_checks = " + begunWith("check_constraint_checks"));
      isUnsound = false;
    }
  }

  /**
   * Makes a temporary table for rows of others; on a server that takes none without a key, with one
   * that no statement sees.
   *
   * @param definition columns and keys in parentheses
   * @param run runs a statement; throws what the database refuses it with
   */
  public static void create(String name, String definition, Consumer<String> run) {
    String head = "CREATE TEMPORARY TABLE " + name + " ";
    try {
      run.accept(head + definition);
    } catch (ShardException.Database refused) {
      if (!KEY_REQUIRED.contains(refused.errno())) {
        throw refused;
      }
      run.accept(head + definition.substring(0, definition.lastIndexOf(')')) + ROW_KEY);
    }
  }

  /** What a variable that {@link #COPYING} leaves alone is on the connection. */
  private String begunWith(String variable) {
    BackendConnection connection = lease.connection();
    String literal = connection == null ? null : connection.start().literal(variable);
    return literal == null ? "DEFAULT" : literal;
  }

  private void insert(InsertBatch batch, StageBudget budget) {
    budget.bytes(batch.bytes());
    int expected = batch.expectedWarnings();
    ShardOutcome outcome = run(batch.take());
    if (outcome.warnings() != expected) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a value that data source '" + lease.dataSource() + "' would change in a copy",
          "stage in a data source of the same version");
    }
  }

  /**
   * Makes ready for {@link #query}.
   *
   * @param wanted what the client's session says
   * @param takesAnyGroup as in {@code PlanNode.Stage}
   */
  public void apply(SessionSettings wanted, boolean takesAnyGroup) {
    apply(wanted);
    if (takesAnyGroup) {
      // what it sets is no longer what the session says: whoever is next sets it anew
      lease.applied(wanted.with("sql_mode", ANY_GROUP));
      run("SET SESSION sql_mode = " + ANY_GROUP);
    }
  }

  /**
   * What LAST_INSERT_ID() is in {@link #query}.
   *
   * @param wanted unsigned; null: nobody asks for it
   */
  public void insertId(@Nullable Long wanted) {
    BackendConnection connection = lease.connection();
    if (wanted != null && connection != null) {
      lease.shard().prologue(connection.insertId().become(wanted));
    }
  }

  /** Starts the statement over the copies. */
  public ShardCursor query(ShardQuery query, ExecuteParameters parameters, RowFormat format) {
    changedState();
    // an error does not tell what functions left
    isUnsound = true;
    return opened(() -> lease.shard().query(query, parameters, format == RowFormat.BINARY));
  }

  /** The rows of {@link #query} have been read to their end. */
  public void read() {
    open = null;
    isUnsound &= changedState();
  }

  private boolean changedState() {
    BackendConnection connection = lease.connection();
    return connection != null && connection.takeStateChange();
  }

  /** Somebody else may end what runs on the connection: nobody is to have it after this. */
  public void abandon() {
    isUnsound = true;
  }

  /**
   * Drops the tables and gives the connection back, or closes it. Throws nothing; safe to call
   * twice.
   */
  public void end() {
    if (isEnded) {
      return;
    }
    isEnded = true;
    lease.shard().waits(DatabaseWait.NONE);
    if (open != null || isUnsound || !isCleared()) {
      lease.discard("staging ended in the middle");
    } else {
      lease.release();
    }
  }

  private boolean isCleared() {
    try {
      if (!tables.isEmpty()) {
        run("DROP TEMPORARY TABLE IF EXISTS " + String.join(", ", tables));
      }
      if (isUnlogged) {
        String said = lease.applied().variables().get("sql_log_bin");
        run("SET SESSION sql_log_bin = " + (said == null ? "1" : said));
      }
      return true;
    } catch (ShardException left) {
      return false;
    }
  }

  private void apply(SessionSettings settings) {
    for (byte[] statement : SettingsReplay.difference(lease, settings)) {
      isUnsound = true;
      run(statement);
      isUnsound = false;
    }
    lease.applied(settings);
  }

  private ShardOutcome run(String sql) {
    return run(sql.getBytes(StandardCharsets.UTF_8));
  }

  private ShardOutcome run(byte[] sql) {
    ShardQuery query = ShardQuery.text(lease.dataSource(), sql);
    try (ShardCursor cursor = opened(() -> lease.shard().query(query))) {
      ShardOutcome outcome = cursor.outcome();
      open = null;
      return outcome;
    }
  }

  private interface Opening {
    ShardCursor open();
  }

  private ShardCursor opened(Opening opening) {
    try {
      ShardCursor cursor = opening.open();
      open = cursor;
      return cursor;
    } catch (ShardException.Lost lost) {
      isUnsound = true;
      throw lost;
    }
  }
}
