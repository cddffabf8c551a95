package io.anabranch.backend.execute.catalog;

import io.anabranch.backend.lease.BlockingWork;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.SettingsReplay;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.stage.StagingConnection;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.DescribeException;
import io.anabranch.rules.catalog.SchemaCatalog.MadeTable;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Asks one database about itself, in the text protocol and with a fresh connection's settings. */
final class CatalogQuery {

  /** Of a list of cells and their strings, besides their content. */
  private static final int ROW_BYTES = 256;

  /** The row, its cells, and what becomes of them in the text of a statement. */
  private static final int FORMS = 4;

  private final Lease lease;

  /** Settings are being replayed: if that fails, nobody knows what the connection has. */
  private boolean isReplaying;

  private CatalogQuery(Lease lease) {
    this.lease = lease;
  }

  /**
   * Takes a lease, runs {@code questions} on it and ends it. The calling thread's work may end
   * meanwhile, which ends no other's.
   *
   * @param leases blocks
   * @param names of the logical database, as errors tell them
   * @throws DescribeException with the database's error
   */
  static <T> T on(Supplier<Lease> leases, NameMapping names, Function<CatalogQuery, T> questions) {
    return BlockingWork.shared(() -> on(leases.get(), names, questions));
  }

  private static <T> T on(Lease lease, NameMapping names, Function<CatalogQuery, T> questions) {
    boolean isSound = false;
    var catalog = new CatalogQuery(lease);
    try {
      catalog.settings(SessionSettings.INITIAL);
      T answer = questions.apply(catalog);
      isSound = true;
      return answer;
    } catch (ShardException.Database refused) {
      isSound = !catalog.isReplaying;
      ShardException.Database told = refused.withSchemaOf(names, lease.shard().database());
      throw new DescribeException(told.errno(), told.sqlState(), String.valueOf(told.getMessage()));
    } catch (ShardException.Lost lost) {
      throw ErrorCatalogue.BACKEND_LOST.refuse(lease.dataSource());
    } finally {
      if (isSound) {
        lease.release();
      } else {
        lease.discard("question about the schema failed");
      }
    }
  }

  /** Cells of all rows. */
  List<List<@Nullable String>> rows(String sql) {
    return rows(query(sql), _ -> {});
  }

  /**
   * The same, of which there may be any number.
   *
   * @param kept takes bytes before the next row is read, or refuses them
   */
  List<List<@Nullable String>> rows(String sql, LongConsumer kept) {
    return rows(query(sql), kept);
  }

  /** The same as a session with these settings sees it. */
  List<List<@Nullable String>> rows(ShardQuery query, SessionSettings wanted) {
    settings(wanted);
    return rows(query, _ -> {});
  }

  private List<List<@Nullable String>> rows(ShardQuery query, LongConsumer kept) {
    var rows = new ArrayList<List<@Nullable String>>();
    try (ShardCursor cursor = lease.shard().query(query)) {
      var reader = new TextRowReader(cursor.columns().size());
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        kept.accept(ROW_BYTES + (long) FORMS * row.length);
        reader.read(row);
        rows.add(cells(reader));
      }
    }
    return rows;
  }

  /** As a session with these settings sees it. */
  List<ResultColumn> describe(ShardQuery query, SessionSettings wanted) {
    if (hidesCollations(wanted)) {
      return describeStored(query, wanted);
    }
    settings(wanted);
    return lease.shard().describe(query);
  }

  /** The same table with those of its strings marked that the server takes for JSON. */
  TableSchema withJson(TableSchema schema) {
    String list =
        schema.columns().stream()
            .map(column -> TableNames.quoted(column.name()))
            .collect(Collectors.joining(", "));
    List<ResultColumn> told;
    try {
      told =
          describe(
              query("SELECT " + list + " FROM " + TableNames.quoted(schema.name())),
              SessionSettings.INITIAL);
    } catch (ShardException.Database unreadable) {
      return schema;
    }
    var columns = new ArrayList<Column>();
    for (int i = 0; i < told.size(); i++) {
      Column column = schema.columns().get(i);
      columns.add(told.get(i).extended().contains("json") ? column.asJson() : column);
    }
    return new TableSchema(schema.name(), columns, schema.view());
  }

  List<ResultColumn> describeOver(
      Map<String, String> tables, ShardQuery query, SessionSettings wanted) {
    try {
      tables.forEach((name, definition) -> StagingConnection.create(name, definition, this::rows));
      return describe(query, wanted);
    } finally {
      rows("DROP TEMPORARY TABLE IF EXISTS " + String.join(", ", tables.keySet()));
    }
  }

  /** Makes a temporary table, looks at it and drops it. */
  MadeTable made(String name, ShardQuery create, SessionSettings wanted) {
    String quoted = TableNames.quoted(name);
    settings(wanted);
    try {
      lease.shard().query(create).close();
    } finally {
      settings(SessionSettings.INITIAL);
    }
    try {
      String text = rows("SHOW CREATE TABLE " + quoted).getFirst().get(1);
      String head = "CREATE TEMPORARY TABLE " + quoted;
      if (text == null || !text.startsWith(head)) {
        throw new IllegalStateException("SHOW CREATE TABLE of a temporary table says " + text);
      }
      var columns = new ArrayList<Column>();
      rows("SHOW FULL COLUMNS FROM " + quoted).forEach(row -> columns.add(Column.shown(row)));
      return new MadeTable(text.substring(head.length()), withJson(new TableSchema(name, columns)));
    } finally {
      rows("DROP TEMPORARY TABLE IF EXISTS " + quoted);
    }
  }

  /** Whether clients are told of strings as if they were bytes: their collations are hidden. */
  private static boolean hidesCollations(SessionSettings wanted) {
    return wanted.resultCharacterSet().equalsIgnoreCase("binary");
  }

  /** The same without conversion to the client's character set, which hides collations. */
  List<ResultColumn> describeStored(ShardQuery query, SessionSettings wanted) {
    settings(wanted.with("character_set_results", "NULL"));
    return lease.shard().describe(query);
  }

  private void settings(SessionSettings wanted) {
    isReplaying = true;
    for (byte[] statement : SettingsReplay.difference(lease, wanted)) {
      lease.shard().query(ShardQuery.text(lease.dataSource(), statement)).close();
    }
    lease.applied(wanted);
    isReplaying = false;
  }

  private ShardQuery query(String sql) {
    return ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.UTF_8));
  }

  private static List<@Nullable String> cells(TextRowReader row) {
    var cells = new ArrayList<@Nullable String>(row.columns());
    for (int i = 0; i < row.columns(); i++) {
      cells.add(
          row.isNull(i)
              ? null
              : new String(row.payload(), row.offset(i), row.length(i), StandardCharsets.UTF_8));
    }
    return cells;
  }
}
