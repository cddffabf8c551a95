package io.anabranch.rules.catalog;

import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the planner may ask the databases while it plans. Implemented by the backend over live
 * connections, cached there; by hand-written fakes in tests.
 *
 * <p>Every method may block on I/O: planning runs on virtual threads, never on an event loop.
 */
public interface SchemaCatalog {

  /**
   * Asks for the tables whose changes servers pass on to those that refer to them by foreign keys:
   * {@code ON DELETE CASCADE}, {@code SET NULL}.
   */
  String FOLLOWED =
      """
      SELECT REFERENCED_TABLE_NAME FROM information_schema.REFERENTIAL_CONSTRAINTS
      WHERE UNIQUE_CONSTRAINT_SCHEMA = DATABASE()
      AND (DELETE_RULE NOT IN ('RESTRICT', 'NO ACTION') OR UPDATE_RULE NOT IN ('RESTRICT', 'NO ACTION'))\
      """;

  /**
   * Asks for the tables that have triggers which may change rows that come, and for their bodies.
   */
  String FILLED =
      """
      SELECT EVENT_OBJECT_TABLE, ACTION_STATEMENT FROM information_schema.TRIGGERS
      WHERE TRIGGER_SCHEMA = DATABASE() AND ACTION_TIMING = 'BEFORE' AND EVENT_MANIPULATION = 'INSERT'\
      """;

  /**
   * Whether a data source or group answers, as far as is known: where any of several would do, one
   * that does is to be asked.
   */
  default boolean isReachable(String endpoint) {
    return true;
  }

  /** Whether a data source is MariaDB; else it is MySQL. */
  default boolean isMariaDb(String dataSource) {
    return true;
  }

  /** Whether {@link #isMariaDb} is known already: then it does not block. */
  default boolean knowsKind(String dataSource) {
    return true;
  }

  /**
   * Whether tables of a data source may differ in case alone: {@code lower_case_table_names} is 0
   * there.
   *
   * @throws RefusedException if the data source cannot be reached
   */
  default boolean tellsCase(String dataSource) {
    return false;
  }

  /** Whether a server with that {@code lower_case_table_names} has tables that differ in case. */
  static boolean tellsCaseBy(String lowerCaseTableNames) {
    return lowerCaseTableNames.equals("0");
  }

  /**
   * Columns of an actual table in their order.
   *
   * @param dataSource data source or group name
   * @param table actual table name
   * @return empty if there is no such table
   * @throws RefusedException if the data source cannot be reached
   */
  Optional<TableSchema> table(String dataSource, String table);

  /**
   * The same of what is not the session's alone: the tables of a view are looked up so by servers.
   *
   * @throws RefusedException if the data source cannot be reached
   */
  default Optional<TableSchema> lasting(String dataSource, String table) {
    return table(dataSource, table);
  }

  /**
   * The same as it is now, whatever is remembered of it: others may have made it anew.
   *
   * @throws RefusedException if the data source cannot be reached
   */
  default Optional<TableSchema> current(String dataSource, String table) {
    return table(dataSource, table);
  }

  /**
   * The table as one of its nodes has it: the first one whose data source can be reached.
   *
   * @param nodes one or more, all with the same columns
   * @throws RefusedException if none can be reached
   */
  default Optional<TableSchema> table(List<DataNode> nodes) {
    RefusedException down = null;
    String asked = "";
    for (DataNode node : nodes) {
      if (!node.dataSource().equals(asked)) {
        asked = node.dataSource();
        try {
          return table(asked, node.table());
        } catch (RefusedException refusal) {
          if (!refusal.isUnreachable()) {
            throw refusal;
          }
          down = down == null ? refusal : down;
        }
      }
    }
    throw down == null ? new IllegalArgumentException("a table without nodes") : down;
  }

  /**
   * Columns of several actual tables of one data source, at once.
   *
   * @param tables actual names
   * @return those that are there, in their order
   * @throws RefusedException if the data source cannot be reached
   */
  default List<TableSchema> tables(String dataSource, List<String> tables) {
    return tables.stream().flatMap(name -> table(dataSource, name).stream()).toList();
  }

  /**
   * Runs a query of a server's own catalogue; cells as text.
   *
   * @throws RefusedException if the data source cannot be reached
   */
  default List<List<@Nullable String>> rows(String dataSource, String sql) {
    return rows(dataSource, sql, _ -> {});
  }

  /**
   * The same, of which there may be any number.
   *
   * @param kept takes the bytes of each row before the next is read, or refuses them
   * @throws RefusedException if the data source cannot be reached, or what {@code kept} throws
   */
  default List<List<@Nullable String>> rows(String dataSource, String sql, LongConsumer kept) {
    return List.of();
  }

  /**
   * Runs a query as the session would; cells as text.
   *
   * @throws RefusedException if the data source cannot be reached
   */
  default List<List<@Nullable String>> rows(ShardQuery query) {
    return rows(query.dataSource(), query.sqlText());
  }

  /** The same of what definitions decide, remembered until {@link #refresh}. */
  default List<List<@Nullable String>> definitions(String dataSource, String sql) {
    return rows(dataSource, sql);
  }

  /** Names of all tables and views in the default schema of {@code dataSource}. */
  List<String> tableNames(String dataSource);

  /**
   * Asks the database to prepare {@code query} and tells the columns of its result: exact types,
   * lengths and collations without running it.
   *
   * @throws DescribeException with the database's error if it does not take the statement
   */
  List<ResultColumn> describe(ShardQuery query);

  /**
   * The same catalogue for the statements of sessions with other settings than the databases' own.
   *
   * @param settings as in {@code PlanScope}
   * @param collation id; 0: their own
   */
  default SchemaCatalog reading(Map<String, String> settings, int collation) {
    return this;
  }

  /**
   * The same for a query over temporary tables, which are made for it and are gone afterwards.
   *
   * @param tables their names to what follows the name in CREATE TEMPORARY TABLE
   * @throws DescribeException with the database's error if it does not take one of the statements
   */
  List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query);

  /**
   * What a table of {@code CREATE TEMPORARY TABLE … SELECT} is: it is made and dropped again.
   *
   * @param name of the table that {@code create} makes
   * @throws DescribeException with the database's error if it does not take the statement
   */
  MadeTable made(String name, ShardQuery create);

  /**
   * The same with the collations that values are stored and compared in: what clients are told is
   * the character set of their session.
   */
  default List<ResultColumn> describeStored(ShardQuery query) {
    return describe(query);
  }

  /** What the weights of strings are worth under collation {@code id} (63: binary). */
  CollationWeights weights(String dataSource, int id);

  /** The same of a collation by its full name. */
  default CollationWeights weights(String dataSource, String collation) {
    return weights(dataSource, 0);
  }

  /** Name of the schema that connections of {@code dataSource} start in. */
  String defaultSchema(String dataSource);

  /** Forgets what is known of {@code table} (logical or actual) after DDL; null: of all tables. */
  void refresh(@Nullable String table);

  /**
   * @param definition what follows the name in SHOW CREATE TABLE
   */
  record MadeTable(String definition, TableSchema schema) {}

  /**
   * @param columns in table order; none of a view whose tables, columns or functions are gone
   * @param view the query of a view as the server tells it, empty if it may not be seen; null: this
   *     is a table
   */
  record TableSchema(String name, List<Column> columns, @Nullable String view) {
    public TableSchema {
      columns = List.copyOf(columns);
    }

    /** A table. */
    public TableSchema(String name, List<Column> columns) {
      this(name, columns, null);
    }

    /** Whether it is a view that servers cannot read: what it reads is gone. */
    public boolean isBroken() {
      return view != null && columns.isEmpty();
    }

    /** The column of this name, in any case of its letters. */
    public Optional<Column> column(String name) {
      return columns.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
    }
  }

  /**
   * @param type column type as in {@code information_schema.columns.column_type}, lower case
   * @param collation null for columns without character set
   * @param key whether it is part of the primary key, or of the unique key in its place
   * @param generated whether the database computes it: it cannot be written
   * @param clocked whether its default or its value after an UPDATE is the current time
   * @param hidden INVISIBLE: {@code *} leaves it out
   * @param required whether a row has to give it a value: NOT NULL without a default
   * @param json whether the server takes its strings for JSON, as MariaDB does by a CHECK
   * @param defaulted whether its default is another one than NULL; where it is not known, false
   */
  record Column(
      String name,
      String type,
      @Nullable String collation,
      boolean nullable,
      boolean autoIncrement,
      boolean key,
      boolean generated,
      boolean clocked,
      boolean hidden,
      boolean required,
      boolean json,
      boolean defaulted) {

    /** A column that is no JSON by a CHECK. */
    public Column(
        String name,
        String type,
        @Nullable String collation,
        boolean nullable,
        boolean autoIncrement,
        boolean key,
        boolean generated,
        boolean clocked,
        boolean hidden,
        boolean required) {
      this(
          name,
          type,
          collation,
          nullable,
          autoIncrement,
          key,
          generated,
          clocked,
          hidden,
          required,
          false,
          false);
    }

    /** The same, whose strings are JSON. */
    public Column asJson() {
      return new Column(
          name,
          type,
          collation,
          nullable,
          autoIncrement,
          key,
          generated,
          clocked,
          hidden,
          required,
          true,
          defaulted);
    }

    /** The same, whose default is another one than NULL. */
    public Column withDefault() {
      return new Column(
          name,
          type,
          collation,
          nullable,
          autoIncrement,
          key,
          generated,
          clocked,
          hidden,
          required,
          json,
          true);
    }

    /** An ordinary column. */
    public Column(
        String name,
        String type,
        @Nullable String collation,
        boolean nullable,
        boolean autoIncrement) {
      this(name, type, collation, nullable, autoIncrement, false, false, false, false, false);
    }

    /** A row of {@code SHOW FULL COLUMNS}. */
    public static Column shown(List<@Nullable String> row) {
      String extra = text(row, 6).toLowerCase(Locale.ROOT);
      String clock = "current_timestamp";
      boolean nullable = text(row, 3).equals("YES");
      boolean autoIncrement = extra.contains("auto_increment");
      Column column =
          new Column(
              text(row, 0),
              text(row, 1),
              row.get(2),
              nullable,
              autoIncrement,
              text(row, 4).equals("PRI"),
              extra.contains("virtual generated") || extra.contains("stored generated"),
              extra.contains(clock) || text(row, 5).toLowerCase(Locale.ROOT).startsWith(clock),
              extra.contains("invisible"),
              !nullable && row.get(5) == null && !autoIncrement);
      return row.get(5) == null ? column : column.withDefault();
    }

    private static String text(List<@Nullable String> row, int column) {
      String cell = row.get(column);
      return cell == null ? "" : cell;
    }

    /** FLOAT(M,D), DOUBLE(M,D): as texts they are longer than servers say. */
    public boolean isFixedFloat() {
      String name = type.toLowerCase(Locale.ROOT);
      return name.startsWith("float(") || name.startsWith("double(");
    }

    /** Whether servers write zeros in front of its numbers. */
    public boolean isZerofill() {
      return type.toLowerCase(Locale.ROOT).contains("zerofill");
    }

    /** Whether its texts have other bytes than in UTF-8. */
    public boolean isForeignText() {
      return collation != null && !collation.startsWith("utf8") && !collation.startsWith("ascii");
    }
  }

  /** The database refused to prepare a statement; carries its own error. */
  final class DescribeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int errno;
    private final String sqlState;

    public DescribeException(int errno, String sqlState, String message) {
      super(message, null, false, false);
      this.errno = errno;
      this.sqlState = sqlState;
    }

    /** The same error in other words. */
    public DescribeException saying(String message) {
      return new DescribeException(errno, sqlState, message);
    }

    public int errno() {
      return errno;
    }

    public String sqlState() {
      return sqlState;
    }
  }
}
