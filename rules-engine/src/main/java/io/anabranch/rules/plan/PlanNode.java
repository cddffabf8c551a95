package io.anabranch.rules.plan;

import io.anabranch.rules.algorithm.encrypt.Encryptor;
import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.file.FileFormat;
import io.anabranch.rules.value.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The plan language of the merge lane. Law: whatever is under a {@link Route} becomes SQL and runs
 * in the database; push everything under it.
 *
 * <p>Nodes are immutable and printable ({@link PlanPrinter}); golden files compare them. Column
 * positions count from 0 in the rows of the node's input. Rows flow as streams; no node but those
 * that say so holds more than one row per source.
 */
public sealed interface PlanNode {

  /** The node whose rows this one takes, where it takes those of one; null: it does not. */
  default @Nullable PlanNode input() {
    return null;
  }

  /**
   * Leaf that yields rows: each query once, at most one open per data source at a time.
   *
   * @param queries in the order of the table's data nodes; never empty
   * @param columns what a client is told about the rows, hidden columns included
   * @param alike whether each query reads one table as the client's statement reads its own, so
   *     that what databases tell of their answers is what one of them would tell: what they prepare
   *     is told otherwise where rows go through a temporary table
   * @param names how clients call what the database tells of that answers alone: its columns are as
   *     many as {@code columns}, which were perhaps told of several; null: columns have the names
   *     of {@code columns}
   */
  record Route(
      List<ShardQuery> queries,
      List<ResultColumn> columns,
      boolean alike,
      @Nullable NameMapping names)
      implements PlanNode {
    public Route {
      queries = List.copyOf(queries);
      columns = List.copyOf(columns);
    }

    /** Described by the plan. */
    public Route(List<ShardQuery> queries, List<ResultColumn> columns) {
      this(queries, columns, false);
    }

    public Route(List<ShardQuery> queries, List<ResultColumn> columns, boolean alike) {
      this(queries, columns, alike, null);
    }

    /**
     * One database answers alone, and tells of the rows.
     *
     * @param columns what a client that prepares is told, as it knows them
     * @param names how clients call what the database tells of
     */
    public static Route alone(ShardQuery query, List<ResultColumn> columns, NameMapping names) {
      return new Route(List.of(query), columns, true, names);
    }
  }

  /** Nodes that yield an OK packet: they are at the root only. */
  sealed interface Change extends PlanNode {}

  /**
   * Leaf: all queries run, those of one data source one after the other, in a transaction of their
   * own unless one is open and {@code atomic} says so.
   *
   * @param counted positions of the queries whose counts and warnings become the answer's; of DDL,
   *     where the queries of each table begin
   * @param atomic false for DDL, which commits implicitly
   * @param verb of an INSERT, when there are {@code rows}
   * @param rows of an INSERT of several rows: for each query the numbers, from 1, that its rows
   *     have in the client's statement; empty for all else
   * @param locked tables that the session has locked from then on; null: the same as before
   * @param made keys that the proxy made for rows which may be left out; null: there are none
   */
  record Write(
      List<ShardQuery> queries,
      List<Integer> counted,
      boolean atomic,
      Verb verb,
      List<int[]> rows,
      @Nullable LockedTables locked,
      @Nullable MadeKeys made)
      implements Change {
    public Write {
      queries = List.copyOf(queries);
      counted = List.copyOf(counted);
      rows = List.copyOf(rows);
    }

    /** No row is left out. */
    public Write(
        List<ShardQuery> queries,
        List<Integer> counted,
        boolean atomic,
        Verb verb,
        List<int[]> rows,
        @Nullable LockedTables locked) {
      this(queries, counted, atomic, verb, rows, locked, null);
    }

    /** The same with keys that the proxy made for rows which may be left out. */
    public Write with(MadeKeys keys) {
      return new Write(queries, counted, atomic, verb, rows, locked, keys);
    }

    /** Locks stay as they are. */
    public Write(
        List<ShardQuery> queries,
        List<Integer> counted,
        boolean atomic,
        Verb verb,
        List<int[]> rows) {
      this(queries, counted, atomic, verb, rows, null);
    }

    /** Of anything but an INSERT of several rows. */
    public Write(List<ShardQuery> queries, Summing summing, boolean atomic) {
      this(
          queries,
          IntStream.range(0, summing == Summing.SUM ? queries.size() : 1).boxed().toList(),
          atomic,
          Verb.UPDATE,
          List.of());
    }
  }

  /**
   * Numbers that the proxy made for rows of an INSERT, each larger than the one before.
   *
   * @param first what the client is told where all rows are inserted
   * @param least of each node, ask for the least of its numbers that is there, NULL for none
   * @param updates whether rows that are there may be changed instead, which count as two
   */
  record MadeKeys(long first, List<ShardQuery> least, boolean updates) {
    public MadeKeys {
      least = List.copyOf(least);
    }
  }

  /**
   * Rows of {@code rows}, read to the end first (held on disk where they are many), become
   * statements that change tables; reading and writing are one unit.
   *
   * @param rows yields rows; read in the binary protocol
   * @param targets one after the other; each gets every row
   * @param summing how the counts of the statements become one
   * @param verb what the text of the answer counts
   * @param strict whether what the query warns of is an error, and nothing is changed
   * @param beside how many rows to write each one that is read has, side by side
   * @param idle what is run where there are no rows: what databases say of the text itself; null:
   *     nothing
   * @param check of the first target's keys, which no other node may have afterwards; null: nothing
   *     is checked
   */
  record RowWrite(
      PlanNode rows,
      List<RowTarget> targets,
      Summing summing,
      Verb verb,
      boolean strict,
      int beside,
      @Nullable ShardQuery idle,
      @Nullable KeyCheck check)
      implements Change {
    public RowWrite {
      targets = List.copyOf(targets);
    }

    /** Each row that is read is one to write. */
    public RowWrite(
        PlanNode rows, List<RowTarget> targets, Summing summing, Verb verb, boolean strict) {
      this(rows, targets, summing, verb, strict, 1, null, null);
    }
  }

  /**
   * An INSERT or REPLACE of rows into a sharded table whose unique keys are unique over all nodes.
   * The rows are written where they belong, then the other nodes are asked for their keys, all in
   * one unit. If one has a key, all is undone and done again row by row: a row goes to the node
   * that has its key, which does with it what the statement says of duplicates.
   *
   * @param insert each row on its node
   * @param rows the same one by one
   * @param verb what the text of the answer counts where rows go one by one
   * @param replaces whether rows of other nodes that have the key are removed
   * @param updates whether the row that has the key is changed
   */
  record CheckedInsert(
      Write insert, KeyCheck check, CheckedRows rows, Verb verb, boolean replaces, boolean updates)
      implements Change {}

  /**
   * An UPDATE of sharding columns. In one unit: {@code values} are read, which locks the rows; they
   * are updated where they are; those that have one of the new values and are in the wrong place
   * then move. The outcome is the update's.
   *
   * @param values rows of the new values; read in the binary protocol
   * @param isSame whether they are the same for all rows
   * @param check refuses a row of values that databases may store as others
   * @param update where the rows are
   * @param nodes positions of the updated nodes in the targets
   * @param selection by node, statements that give the rows with new values
   * @param deletion by node, statements that delete rows which leave it
   * @param leaving why no row may leave its node; null: rows may
   * @param insertion by node, statements that insert rows which come to it; its placer tells where
   *     rows belong
   * @param passing what tells rows that would collide in passing
   */
  record Move(
      PlanNode values,
      boolean isSame,
      RowPlacer check,
      Write update,
      List<Integer> nodes,
      RowTarget selection,
      RowTarget deletion,
      @Nullable Refusal leaving,
      RowTarget insertion,
      Passing passing)
      implements Change {
    public Move {
      nodes = List.copyOf(nodes);
    }

    /**
     * @throws io.anabranch.rules.error.RefusedException if no row may leave its node
     */
    public void requireLeaving() {
      if (leaving != null) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(leaving.construct(), leaving.wayOut());
      }
    }
  }

  /**
   * Rows of a file that the client sends are inserted; reading and writing are one unit.
   *
   * @param name of the file, as the client is asked for it
   * @param width of the rows; fields behind it are only part of what is written
   * @param blanks what the columns of the rows hold where a line has no value for them
   * @param made cells behind the fields, from {@code width + 1 +} the number of fields on
   * @param replaces whether rows take the place of those that are there; else they are left out
   * @param strict whether a line with too few or too many fields, or without a value that a column
   *     has to have, is an error
   */
  record Load(
      byte[] name,
      FileFormat format,
      int width,
      List<Blank> blanks,
      List<MadeCell> made,
      RowTarget target,
      Summing summing,
      boolean replaces,
      boolean strict)
      implements Change {

    public Load {
      blanks = List.copyOf(blanks);
      made = List.copyOf(made);
    }

    /**
     * What a column holds where the file has no value for it.
     *
     * @param column its name
     * @param missing of a line that ends before the field; null: it can hold nothing then
     * @param none of {@code \N}; null: it can hold nothing then
     * @param warns whether servers warn of {@code \N}
     */
    public record Blank(
        String column, @Nullable Filler missing, @Nullable Filler none, boolean warns) {}

    /**
     * In the place of a field.
     *
     * @param literal SQL of ASCII characters
     * @param value what places the row, the unknown one where nobody knows how it is stored
     * @param noted whether databases may warn of the literal, which is no literal of the client's
     */
    public record Filler(String literal, SqlValue value, boolean noted) {

      private static final String OF_COLUMN = "DEFAULT";

      /** What the database fills in: it stands between VALUES alone. */
      public static final Filler DEFAULT = new Filler(OF_COLUMN, SqlValue.Null.NULL, false);

      public boolean isDefault() {
        return literal.equals(OF_COLUMN);
      }
    }

    /** The position of the first of the cells that are made. */
    public int firstMade() {
      return width + 1 + format.columns().length;
    }

    /**
     * What is stored for a field in the place of it.
     *
     * @param field its position in the row
     * @param literal SQL of ASCII characters for the value, the unknown one for a field that the
     *     file does not have; refuses what cannot be stored
     */
    public record MadeCell(int field, String column, CellText literal) {}

    /** SQL text of a value. */
    @FunctionalInterface
    public interface CellText {
      String of(SqlValue value);
    }
  }

  /**
   * CREATE TABLE … SELECT: the table is made on all its nodes, then filled. If either fails, what
   * was made is dropped.
   *
   * @param tables a statement per node
   * @param rows one unit
   * @param undoing by node
   * @param isTemporary whether the table is the session's own: it stays with its connection, and no
   *     transaction ends
   * @param finishing what follows the rows within their unit
   */
  record Creation(
      List<ShardQuery> tables,
      Change rows,
      List<ShardQuery> undoing,
      boolean isTemporary,
      List<ShardQuery> finishing)
      implements Change {
    public Creation {
      tables = List.copyOf(tables);
      undoing = List.copyOf(undoing);
      finishing = List.copyOf(finishing);
    }
  }

  /**
   * LOCK TABLES and its like: the queries run one after the other, so that two statements never
   * wait for each other, and their connections stay with the session.
   *
   * @param queries one per data source, in the order of their names
   * @param tables what the session may use until it unlocks them; empty where it may use all
   */
  record Lock(List<ShardQuery> queries, LockedTables tables) implements Change {
    public Lock {
      queries = List.copyOf(queries);
    }
  }

  /**
   * SELECT … INTO: the first row's values become user variables of the session; more than one row
   * is an error, which leaves them there.
   *
   * @param rows read in the binary protocol, as they are stored
   * @param variables as the client names them, one per column
   * @param isTrailing whether INTO stands behind FROM, of which some servers warn
   * @param hidden columns whose decimal numbers may have other digits than they show
   */
  record Assignment(PlanNode rows, List<String> variables, boolean isTrailing, Set<Integer> hidden)
      implements Change {
    public Assignment {
      variables = List.copyOf(variables);
      hidden = Set.copyOf(hidden);
    }

    /** The same of other rows. */
    public Assignment of(PlanNode others) {
      return new Assignment(others, variables, isTrailing, hidden);
    }
  }

  /**
   * Rows that a change answers with (RETURNING): held until it has succeeded everywhere. Rows that
   * the statement lists come in its order, others one node after the other.
   *
   * @param change an INSERT, REPLACE or DELETE
   * @param columns what a client that prepares is told about the rows; may be empty
   * @param unwritten what a client is told where no database answers, as there is nothing to write
   */
  record Returning(Change change, List<ResultColumn> columns, List<ResultColumn> unwritten)
      implements PlanNode {
    public Returning {
      columns = List.copyOf(columns);
      unwritten = List.copyOf(unwritten);
    }
  }

  /** Rows of the route's queries in any order, one source after the other or as they come. */
  record Concat(PlanNode input) implements PlanNode {}

  /** Sources that are each sorted by {@code keys} become one sorted stream. */
  record OrderedMerge(PlanNode input, List<SortKey> keys) implements PlanNode {
    public OrderedMerge {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Input sorted by {@code keys} (in whatever direction): neighbours with equal keys become one
   * row.
   *
   * @param keys group keys; empty: the whole input is one group, and exactly one row comes out
   * @param columns one per output column
   */
  record GroupedAggregate(PlanNode input, List<SortKey> keys, List<Aggregate> columns)
      implements PlanNode {
    public GroupedAggregate {
      keys = List.copyOf(keys);
      columns = List.copyOf(columns);
    }
  }

  /** Input sorted by {@code keys}: neighbours with equal keys become the first of them. */
  record Distinct(PlanNode input, List<SortKey> keys) implements PlanNode {
    public Distinct {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Holds its input (bounded by the merge limits, else error) and sorts it, stable: for orders that
   * only exist after aggregation.
   */
  record Sort(PlanNode input, List<SortKey> keys) implements PlanNode {
    public Sort {
      keys = List.copyOf(keys);
    }
  }

  /** Drops rows whose {@code condition} is false or NULL; see {@link Comparison}. */
  record Having(PlanNode input, List<Comparison> conjunction) implements PlanNode {
    public Having {
      conjunction = List.copyOf(conjunction);
    }
  }

  /**
   * Skips {@code offset} rows, passes {@code count}, then cancels its input.
   *
   * @param count -1 for all
   */
  record Limit(PlanNode input, long offset, long count) implements PlanNode {}

  /**
   * SQL_CALC_FOUND_ROWS: as {@link Limit}, but all rows are read, and how many there were is told
   * with the outcome. At the root only.
   *
   * @param count -1 for all
   */
  record Counted(PlanNode input, long offset, long count) implements PlanNode {}

  /** Keeps the first {@code width} columns; the hidden ones behind them go. */
  record TrimColumns(PlanNode input, int width) implements PlanNode {}

  /**
   * Replaces cells of some text columns: actual names become logical ones.
   *
   * @param columns positions whose cells are looked up; none: those of the columns called {@code
   *     table}
   * @param replacements whole cell to its replacement; in cells that start with {@code CREATE
   *     TABLE} the names of tables and of constraints, in views' those of tables; other cells stay
   *     as they are
   */
  record MapCells(PlanNode input, List<Integer> columns, Map<String, String> replacements)
      implements PlanNode {
    public MapCells {
      columns = List.copyOf(columns);
      replacements = Map.copyOf(replacements);
    }
  }

  /**
   * Cells of some columns are shown otherwise, as texts.
   *
   * @param maskers by the names, in lower case, of result columns and of what they are in tables
   */
  record Masked(PlanNode input, Map<String, Masker> maskers) implements PlanNode {
    public Masked {
      maskers = Map.copyOf(maskers);
    }

    private static final int VAR_STRING = 253;
    private static final int UTF8MB4 = 45;
    private static final int BINARY = 63;

    /** NOT NULL: all other flags are of a type, or of a key. */
    private static final int KEPT_FLAGS = 1;

    private static final int BYTES_OF_CHARACTER = 4;

    /** What a client is told of them: what is masked is a string. */
    public List<ResultColumn> columns(List<ResultColumn> plain) {
      return plain.stream().map(column -> of(column) == null ? column : masked(column)).toList();
    }

    private static ResultColumn masked(ResultColumn column) {
      return new ResultColumn(
          column.schema(),
          column.table(),
          column.orgTable(),
          column.name(),
          column.orgName(),
          column.collation() == BINARY ? UTF8MB4 : column.collation(),
          Math.max(column.length(), 64) * BYTES_OF_CHARACTER,
          VAR_STRING,
          column.flags() & KEPT_FLAGS,
          0);
    }

    /** Null: the column is shown as it is. */
    public @Nullable Masker of(ResultColumn column) {
      Masker masker = maskers.get(column.name().toLowerCase(Locale.ROOT));
      return masker == null ? maskers.get(column.orgName().toLowerCase(Locale.ROOT)) : masker;
    }
  }

  /**
   * CHECKSUM TABLE: servers add up a number of each row, modulo 2^32, so that the checksums of a
   * table's parts add up to its own.
   *
   * @param tables as clients call them, in the order of the rows of the result
   */
  record Checksums(PlanNode input, NameMapping names, List<String> tables) implements PlanNode {
    public Checksums {
      tables = List.copyOf(tables);
    }
  }

  /** What servers tell of actual tables, in logical names: rows that are the same then are one. */
  record Reported(PlanNode input, NameMapping names) implements PlanNode {}

  /**
   * What a server tells of a schema that clients call otherwise: in cells and in columns' names, by
   * what the columns of SHOW and of the statements about tables are called.
   *
   * @param actual what the server calls it
   * @param prepared columns that a client is told when it prepares
   */
  record Renamed(PlanNode input, String actual, String logical, List<ResultColumn> prepared)
      implements PlanNode {
    public Renamed {
      prepared = List.copyOf(prepared);
    }

    private static final String TABLES = "Tables_in_";

    /** What stands in the cells of a column. */
    public enum Cells {
      /** The name of a schema. */
      NAME,
      /** {@code schema.table}. */
      TABLE,
      /** {@code Table 'schema.table' doesn't exist}. */
      MESSAGE,
      /** The text of a definition. */
      STATEMENT,
      OTHER
    }

    public static Cells cells(String label) {
      return switch (label) {
        case "Db", "Database" -> Cells.NAME;
        case "Table" -> Cells.TABLE;
        case "Msg_text" -> Cells.MESSAGE;
        case "Statement", "SQL Original Statement" -> Cells.STATEMENT;
        default -> label.startsWith("Create ") ? Cells.STATEMENT : Cells.OTHER;
      };
    }

    /** The columns by the names that clients know. */
    public List<ResultColumn> columns(List<ResultColumn> told) {
      return told.stream()
          .map(
              column ->
                  column.name().startsWith(TABLES + actual)
                      ? column.named(
                          column.schema(),
                          column.table(),
                          column.orgTable(),
                          TABLES
                              + logical
                              + column.name().substring(TABLES.length() + actual.length()),
                          orgName(column))
                      : column)
          .toList();
    }

    private String orgName(ResultColumn column) {
      String name = column.orgName();
      return name.startsWith(TABLES + actual)
          ? TABLES + logical + name.substring(TABLES.length() + actual.length())
          : name;
    }
  }

  /**
   * Cells that databases have encrypted, as they were before.
   *
   * @param cells which; each column once
   * @param texts what the session's results are in
   */
  record Decrypted(PlanNode input, List<Cell> cells, Texts texts) implements PlanNode {

    private static final int BINARY = 63;
    private static final int UTF8MB4_GENERAL_CI = 45;

    public Decrypted {
      cells = List.copyOf(cells);
    }

    /**
     * What servers do with texts on their way to the session, by its {@code character_set_results}.
     */
    public enum Texts {
      /** They are told in the session's character set. */
      CONVERTED,
      /** NULL: as they lie in their columns, each told in its own character set. */
      OWN,
      /** As they lie in their columns, told as bytes. */
      BINARY
    }

    /**
     * @param column position
     * @param name of the column as clients know it
     */
    public record Cell(int column, String name, Encryptor encryptor) {}

    /**
     * The columns as clients know them.
     *
     * @param told as databases tell them
     */
    public List<ResultColumn> columns(List<ResultColumn> told) {
      var columns = new ArrayList<ResultColumn>(told);
      for (Cell cell : cells) {
        if (cell.column() < columns.size()) {
          ResultColumn of = columns.get(cell.column());
          String orgName = of.orgName().isEmpty() ? "" : cell.name();
          columns.set(
              cell.column(),
              of.named(of.schema(), of.table(), of.orgTable(), of.name(), orgName)
                  .collated(collation(of.collation())));
        }
      }
      return List.copyOf(columns);
    }

    /**
     * What a plain text is told in: what is stored for it has another character set than it, which
     * has no room for it ({@code ascii}).
     *
     * @param told of the stored column
     */
    private int collation(int told) {
      return switch (texts) {
        case CONVERTED -> told == BINARY ? UTF8MB4_GENERAL_CI : told;
        case OWN -> UTF8MB4_GENERAL_CI;
        case BINARY -> BINARY;
      };
    }
  }

  /**
   * What a server tells of a table with encrypted columns, without what is stored for them.
   *
   * @param logical names of stored columns in lower case to those that clients know
   * @param hidden names of stored columns in lower case that are left out
   */
  record Unveiled(PlanNode input, Form form, Map<String, String> logical, Set<String> hidden)
      implements PlanNode {
    public Unveiled {
      logical = Map.copyOf(logical);
      hidden = Set.copyOf(hidden);
    }

    /** What the rows are about. */
    public enum Form {
      /** A row is a column, whose name stands first. */
      COLUMNS,
      /** A row is a part of a key. */
      INDEX,
      /** SHOW CREATE TABLE. */
      DEFINITION,
      /** SHOW CREATE VIEW: the items of its query that are hidden have these names as aliases. */
      QUERY
    }
  }

  /**
   * Leaf that yields rows: CHECK TABLE … ACROSS SHARDS. Its probes run one after the other.
   *
   * @param columns as those of CHECK TABLE
   */
  record TableCheck(List<TableProbe> probes, List<ResultColumn> columns) implements PlanNode {
    public TableCheck {
      probes = List.copyOf(probes);
      columns = List.copyOf(columns);
    }
  }

  /** Rows known without any database: answers made by the proxy itself. Cells are text or null. */
  record LocalRows(
      List<ResultColumn> columns, List<? extends List<? extends @Nullable String>> rows)
      implements PlanNode {
    public LocalRows {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /**
   * Leaf that yields rows, whatever the statement: its tables' rows are copied into temporary
   * tables of one database, and {@code query} runs there. The copies are gone when the rows have
   * been read.
   *
   * @param tables one per table reference, copied one after the other
   * @param query the client's statement over the copies; runs with the session's settings
   * @param columns what a client is told about the rows
   * @param room statements that may stage in that data source at the same time: fewer than it has
   *     connections, so that those who stage find others to read with
   * @param takesAnyGroup whether MySQL has said already, by keys that the copies lack, that what is
   *     selected is decided by what is grouped by
   */
  record Stage(
      List<StagedTable> tables,
      ShardQuery query,
      List<ResultColumn> columns,
      int room,
      boolean takesAnyGroup)
      implements PlanNode {
    public Stage {
      tables = List.copyOf(tables);
      columns = List.copyOf(columns);
    }
  }

  /** How the counts of several writes become one. */
  enum Summing {
    /** Affected rows add up: a sharded write. */
    SUM,
    /** The answer of the first data source counts: a broadcast write. */
    FIRST
  }

  /** What a change is for the client. */
  enum Verb {
    /** Answers with {@code Records: 2 Duplicates: 0 Warnings: 0}. */
    INSERT,
    /** As {@link #INSERT}, leaving out rows that are there. */
    INSERT_IGNORE,
    /** Of one row: answers with no text. */
    INSERT_ROW,
    /** Answers with {@code Rows matched: 2 Changed: 1 Warnings: 0}. */
    UPDATE,
    DELETE,
    /** A definition of a sharded table: rows are counted in all nodes, warnings in the first. */
    DEFINE,
    /** DROP of several tables, on a server that has one note for all that are unknown. */
    DROP;

    /** Whether rows are new. */
    public boolean inserts() {
      return switch (this) {
        case INSERT, INSERT_IGNORE, INSERT_ROW -> true;
        case UPDATE, DELETE, DEFINE, DROP -> false;
      };
    }
  }

  /**
   * A column to compare by.
   *
   * @param column position of the value
   * @param weight position of a hidden column with the value's collation weights ({@code
   *     WEIGHT_STRING}), or of the number behind an ENUM or SET; -1 where the value itself compares
   * @param padWeight weight bytes of a blank for PAD SPACE collations; empty for NO PAD and numbers
   */
  record SortKey(int column, int weight, byte[] padWeight, boolean descending) {}

  /**
   * One output column of a group.
   *
   * @param function how the inputs of the group combine
   * @param column position of the input; of the sum for {@link Function#AVG}, of the argument for
   *     DISTINCT functions. The output is described by the input column at its own position, which
   *     is how AVG gets its scale.
   * @param companion position of the count for AVG, of the weights for MIN/MAX and DISTINCT over
   *     strings; else -1
   * @param padWeight as in {@link SortKey}, for MIN/MAX over strings
   */
  record Aggregate(Function function, int column, int companion, byte[] padWeight) {

    /** Combines partial results of the shards. */
    public enum Function {
      /** Any (the first) value of the group: keys, functionally dependent columns. */
      FIRST,
      /** Adds partial COUNTs; 0 for no input. */
      COUNT,
      /** Adds partial SUMs; NULL when all are NULL. */
      SUM,
      MIN,
      MAX,
      /** Partial sum divided by partial count, with MySQL's scale. */
      AVG,
      /** The same with the digits that MySQL compares: whole words of nine, rounded nowhere. */
      AVG_COMPARED,
      BIT_AND,
      BIT_OR,
      BIT_XOR,
      /** Counts the distinct non-NULL values of an input sorted by group keys and the value. */
      COUNT_DISTINCT,
      SUM_DISTINCT,
      AVG_DISTINCT
    }
  }

  /**
   * {@code column op constant}, or {@code column IS [NOT] NULL}; numbers compare as decimals.
   *
   * @param isFloating whether the constant compares as DOUBLE with whatever: a text, 1e3
   */
  record Comparison(int column, Operator operator, String constant, boolean isFloating) {

    /** A comparison with a whole number or a decimal. */
    public Comparison(int column, Operator operator, String constant) {
      this(column, operator, constant, false);
    }

    /** Operators of HAVING that the merge lane evaluates itself. */
    public enum Operator {
      EQUAL,
      NOT_EQUAL,
      LESS,
      LESS_OR_EQUAL,
      GREATER,
      GREATER_OR_EQUAL,
      IS_NULL,
      IS_NOT_NULL,
      /** With NULL: never true. */
      UNKNOWN
    }
  }
}
