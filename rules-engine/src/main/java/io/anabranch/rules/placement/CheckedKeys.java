package io.anabranch.rules.placement;

import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.KeyCheck;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.table.Triggers;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.value.SqlValue;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The unique keys of a sharded table whose rows are looked for on all nodes when they come, because
 * the configuration says so ({@code uniqueKeysWithoutShardingColumns: CHECK}).
 */
public final class CheckedKeys {

  /**
   * @param isShared whether rows of other nodes may have the same values
   * @param generated the part that the proxy makes where a row does not give it; null: none
   */
  private record Key(
      TableKey key, boolean isShared, List<KeyPart> parts, @Nullable String generated) {}

  private final ShardedTable table;
  private final List<Key> keys;
  private final boolean mariaDb;
  private final Charset charset;
  private final Set<String> columns = new HashSet<>();

  /**
   * @param charset that the session's connections read
   */
  private CheckedKeys(ShardedTable table, List<Key> keys, boolean mariaDb, Charset charset) {
    this.mariaDb = mariaDb;
    this.charset = charset;
    this.table = table;
    this.keys = keys;
    for (Key key : keys) {
      key.parts().forEach(part -> columns.add(part.column()));
    }
  }

  /**
   * @param cuts whether the statement may cut values that do not fit
   * @return null where nothing is to be checked
   * @throws RefusedException if there is a key that cannot be checked
   */
  public static @Nullable CheckedKeys of(
      PlanTask task, ShardedTable table, TableSchema schema, boolean cuts) {
    if (!task.database().keyPolicy().checks() || table.nodes().size() < 2) {
      return null;
    }
    DataNode node = task.nearestNode(table.nodes());
    TableDefinition definition = task.definitions().of(node).orElse(null);
    if (definition == null) {
      return null;
    }
    ShardKeys sharding = ShardKeys.of(table, definition);
    if (definition.keys().stream().noneMatch(sharding::mayRepeat)) {
      return null;
    }
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    var found = new ArrayList<Key>();
    for (TableKey key : definition.keys()) {
      if (key.unique()) {
        boolean made = generation != null && key.hasWhole(generation.column());
        found.add(
            new Key(
                key,
                sharding.mayRepeat(key),
                KeyPart.of(table, key, schema, cuts),
                made && generation != null ? generation.column().toLowerCase(Locale.ROOT) : null));
      }
    }
    if (!Triggers.areAbsent(task, table.name())) {
      throw ErrorCatalogue.NOT_EXACT.refuse(
          "a write to table '"
              + table.name()
              + "', whose unique keys are looked for on all nodes, and which has triggers,",
          "drop the triggers, or set uniqueKeysWithoutShardingColumns: WARN");
    }
    return new CheckedKeys(
        table,
        List.copyOf(found),
        task.catalog().isMariaDb(node.dataSource()),
        task.scope().charset());
  }

  /**
   * Whether a change of a column may give a row the key of one on another node: the column is in
   * such a key, or the key has a part that a database computes.
   */
  public static boolean decides(
      PlanTask task, ShardedTable table, TableSchema schema, String column) {
    if (table.nodes().size() < 2) {
      return false;
    }
    TableDefinition definition = task.definition(table.nodes()).orElse(null);
    if (definition == null) {
      return false;
    }
    ShardKeys sharding = ShardKeys.of(table, definition);
    for (TableKey key : definition.keys()) {
      for (TableKey.Part part : sharding.mayRepeat(key) ? key.parts() : List.<TableKey.Part>of()) {
        String own = part.column();
        if (own == null || own.equalsIgnoreCase(column) || isComputed(schema, own)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isComputed(TableSchema schema, String column) {
    return schema.columns().stream()
        .anyMatch(one -> one.name().equalsIgnoreCase(column) && (one.generated() || one.clocked()));
  }

  /** How many there are. */
  int count() {
    return keys.size();
  }

  /** Lower-case names of the columns of all keys. */
  public Set<String> columns() {
    return columns;
  }

  /**
   * What is true of the rows that have the key of a new one.
   *
   * @param key position
   * @param given what the row gives for a lower-case column; null: nothing, so that it has its
   *     default
   * @param made whether the proxy makes the row's key
   */
  public byte @Nullable [] condition(
      int key, Function<String, @Nullable SqlValue> given, boolean made) {
    Key one = keys.get(key);
    if (made && one.generated() != null) {
      return null;
    }
    var text = new StringBuilder("(");
    for (KeyPart part : one.parts()) {
      SqlValue value = given.apply(part.column());
      if (value == SqlValue.Null.NULL) {
        part.requireNull();
        return null;
      }
      text.append(text.length() == 1 ? "" : " AND ").append(part.equal(value));
    }
    return text.append(')').toString().getBytes(charset);
  }

  /**
   * Whether a statement changes columns of keys that may be on several nodes.
   *
   * @throws RefusedException if it does
   */
  public void refuseUpdates(List<InsertSyntax.Assignment> updates) {
    for (InsertSyntax.Assignment update : updates) {
      if (isShared(update.column())) {
        throw ErrorCatalogue.NOT_EXACT.refuse(
            "ON DUPLICATE KEY UPDATE of column '"
                + update.column()
                + "' of a unique key that is looked for on all nodes",
            "leave it out, or DELETE the row and INSERT it anew");
      }
    }
  }

  private boolean isShared(String column) {
    for (Key key : keys) {
      for (KeyPart part : key.parts()) {
        if (key.isShared() && part.column().equalsIgnoreCase(column)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * How the nodes are asked, of rows whose columns stand in this order.
   *
   * @param plain whether a duplicate is an error
   */
  public KeyCheck check(List<String> rowColumns, boolean plain) {
    ShardedTable.KeyGeneration generation = table.keyGeneration();
    String generated = generation == null ? "" : generation.column();
    return new Check(
        plain,
        (key, values) -> {
          int keyColumn = rowColumns.indexOf(generated.toLowerCase(Locale.ROOT));
          boolean made = keyColumn < 0 || values.apply(keyColumn) == SqlValue.Null.NULL;
          return condition(
              key,
              column -> {
                int position = rowColumns.indexOf(column);
                return position < 0 ? null : values.apply(position);
              },
              made);
        });
  }

  /** Makes the condition of one key. */
  private interface Conditions {
    byte @Nullable [] of(int key, IntFunction<SqlValue> values);
  }

  private final class Check implements KeyCheck {

    private final boolean plain;
    private final Conditions conditions;

    Check(boolean plain, Conditions conditions) {
      this.plain = plain;
      this.conditions = conditions;
    }

    @Override
    public int keys() {
      return keys.size();
    }

    @Override
    public boolean isShared(int key) {
      return keys.get(key).isShared();
    }

    @Override
    public List<String> dataSources() {
      return table.nodes().stream().map(DataNode::dataSource).toList();
    }

    @Override
    public byte @Nullable [] condition(int key, IntFunction<SqlValue> values) {
      return conditions.of(key, values);
    }

    @Override
    public ShardQuery question(int node, List<byte[]> asked) {
      return query("SELECT 1 FROM ", node, asked, " LIMIT 1 LOCK IN SHARE MODE");
    }

    @Override
    public ShardQuery entry(int node, int key, byte[] condition) {
      var list = new StringBuilder("SELECT CONCAT_WS('-'");
      keys.get(key).parts().forEach(part -> list.append(", ").append(part.shown()));
      return query(list + ") FROM ", node, List.of(condition), " LIMIT 1");
    }

    @Override
    public String name(int key) {
      String name = keys.get(key).key().name();
      return mariaDb ? name : table.name() + "." + name;
    }

    @Override
    public boolean isPlain() {
      return plain;
    }

    @Override
    public ShardQuery removal(int node, List<byte[]> asked) {
      return query("DELETE FROM ", node, asked, "");
    }

    private ShardQuery query(String head, int node, List<byte[]> asked, String tail) {
      DataNode at = table.nodes().get(node);
      var sql = new StringBuilder(head).append(TableNames.quoted(at.table()));
      String before = " WHERE ";
      for (byte[] condition : asked) {
        sql.append(before).append(new String(condition, charset));
        before = " OR ";
      }
      return ShardQuery.text(at.dataSource(), sql.append(tail).toString().getBytes(charset));
    }
  }
}
