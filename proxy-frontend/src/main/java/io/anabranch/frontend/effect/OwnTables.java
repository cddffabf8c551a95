package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The temporary tables of a session in a database of several data sources, looked up in its
 * connection after each statement that may have made, changed or dropped one.
 *
 * @param endpoint where the statement ran
 * @param created name of the table that it makes; null if it makes none
 * @param touched names of those that the session has and the statement may have changed: a session
 *     may have hundreds of others
 */
public record OwnTables(String endpoint, @Nullable String created, Set<String> touched) {

  private static final int NO_SUCH_TABLE = 1146;

  /** Under LOCK TABLES; temporary tables need no locks. */
  private static final int NOT_LOCKED = 1100;

  private static final int COLUMNS = 9;

  public OwnTables {
    touched = Set.copyOf(touched);
  }

  /** Of a statement that makes a table and changes no other. */
  public OwnTables(String endpoint, @Nullable String created) {
    this(endpoint, created, Set.of());
  }

  /**
   * What there is to look up after a statement; null: nothing.
   *
   * @param source the same statement, asked for only where its tokens matter
   */
  public static @Nullable OwnTables after(
      Scan scan,
      Supplier<SourceText> source,
      LogicalDatabase database,
      TemporaryTables known,
      String endpoint) {
    if (!ImplicitCommit.changesTables(scan.kind()) || database.isOfOneEndpoint()) {
      return null;
    }
    String created = Pins.isOfTemporaryTable(scan) ? TemporaryTables.created(source.get()) : null;
    if (created == null && known.isEmpty()) {
      return null;
    }
    SqlTokens tokens = source.get().tokens();
    var touched = new HashSet<String>();
    known
        .byName()
        .forEach(
            (name, table) -> {
              if (tokens.mention(name) && table.endpoint().equals(endpoint)) {
                touched.add(table.schema().name());
              }
            });
    return new OwnTables(endpoint, created, touched);
  }

  /** Asks the connection, with the session's settings. Blocks. */
  public TemporaryTables read(Lease lease, Session session) {
    TemporaryTables known = session.database().temporaries();
    Set<String> names = new HashSet<>(touched);
    if (created != null) {
      names.add(created);
    }
    TemporaryTables found = known;
    Set<String> former = former(names);
    if (!former.isEmpty() && isFolded(lease)) {
      names.removeAll(former);
      for (String name : former) {
        found = found.without(name);
      }
    }
    for (String name : names) {
      TableSchema schema = schema(lease, name);
      found =
          schema == null
              ? found.without(name)
              : found.with(name, new TemporaryTables.Table(endpoint, schema));
    }
    return found;
  }

  /** Those that may be the one that is made: they are called alike but for case. */
  private Set<String> former(Set<String> names) {
    var former = new HashSet<String>();
    for (String name : names) {
      if (created != null && !name.equals(created) && name.equalsIgnoreCase(created)) {
        former.add(name);
      }
    }
    return former;
  }

  private static boolean isFolded(Lease lease) {
    String mode = rows(lease, "SELECT @@lower_case_table_names", 1).getFirst().get(0);
    return mode != null && !SchemaCatalog.tellsCaseBy(mode);
  }

  /** Flags of the connection's session as they are now. Blocks. */
  public static int status(Lease lease) {
    ShardQuery nothing =
        ShardQuery.text(lease.dataSource(), "DO 0".getBytes(StandardCharsets.US_ASCII));
    try (ShardCursor cursor = lease.shard().query(nothing)) {
      return cursor.outcome().statusFlags();
    }
  }

  private static @Nullable TableSchema schema(Lease lease, String name) {
    try {
      String quoted = TableNames.quoted(name);
      String made = rows(lease, "SHOW CREATE TABLE " + quoted, 2).getFirst().get(1);
      if (made == null || !made.startsWith("CREATE TEMPORARY ")) {
        return null;
      }
      var columns = new ArrayList<Column>();
      for (List<@Nullable String> row : rows(lease, "SHOW FULL COLUMNS FROM " + quoted, COLUMNS)) {
        columns.add(Column.shown(row));
      }
      return new TableSchema(name, columns);
    } catch (ShardException.Database refused) {
      if (refused.errno() == NO_SUCH_TABLE || refused.errno() == NOT_LOCKED) {
        return null;
      }
      throw refused;
    }
  }

  private static List<List<@Nullable String>> rows(Lease lease, String sql, int columns) {
    var rows = new ArrayList<List<@Nullable String>>();
    byte[] asked = sql.getBytes(lease.applied().clientCharset());
    ShardQuery query = ShardQuery.text(lease.dataSource(), asked);
    Charset charset = lease.applied().resultCharset();
    try (ShardCursor cursor = lease.shard().query(query)) {
      var reader = new TextRowReader(cursor.columns().size());
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new ArrayList<@Nullable String>(columns);
        for (int i = 0; i < columns; i++) {
          cells.add(
              reader.isNull(i)
                  ? null
                  : new String(row, reader.offset(i), reader.length(i), charset));
        }
        rows.add(cells);
      }
    }
    return rows;
  }
}
