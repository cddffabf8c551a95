package io.anabranch.app.cli;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes tables for what the rules and the statement say of them: they have the columns that these
 * name, sharding columns are their keys, and what is compared with a string is one. Whatever cannot
 * be told from that needs a database.
 */
final class OfflineCatalog implements SchemaCatalog {

  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*");
  private static final Pattern LITERAL = Pattern.compile("'(?:[^'\\\\]|''|\\\\.)*'");
  private static final Pattern COMPARED_WITH_TEXT =
      Pattern.compile(
          "(?i)`?([a-z_][a-z0-9_$]*)`?\\s*(?:=|<=>|<>|!=|<=?|>=?|(?:not\\s+)?(?:in\\s*\\(|like\\b|between\\b))\\s*'");
  private static final Pattern SELECT_LIST = Pattern.compile("(?is)^\\W*select\\s+(.*?)\\sfrom\\s");
  private static final String COLLATION = "utf8mb4_general_ci";
  private static final int GENERAL_CI = 45;
  private static final int BINARY = 63;
  private static final int LONGLONG = 8;
  private static final int VAR_STRING = 253;
  private static final int INTEGER_LENGTH = 20;
  private static final int TEXT_LENGTH = 1020;

  private final LogicalDatabase database;
  private final Set<String> words = new LinkedHashSet<>();
  private final Set<String> texts = new LinkedHashSet<>();

  /**
   * @param sql the statement that is planned
   */
  OfflineCatalog(LogicalDatabase database, String sql) {
    this.database = database;
    Matcher word = WORD.matcher(LITERAL.matcher(sql).replaceAll("''"));
    while (word.find()) {
      words.add(word.group());
    }
    Matcher text = COMPARED_WITH_TEXT.matcher(sql);
    while (text.find()) {
      texts.add(text.group(1).toLowerCase(Locale.ROOT));
    }
  }

  /** The plan depends on what only a database can tell. */
  static final class DatabaseNeededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DatabaseNeededException(String what) {
      super(what, null, false, false);
    }
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    if (!isListed(dataSource, table)) {
      throw new DatabaseNeededException("whether " + dataSource + " has a table " + table);
    }
    var keys = new LinkedHashSet<String>();
    var keysOfOthers = new LinkedHashSet<String>();
    for (ShardedTable each : database.shardedTables().values()) {
      boolean isPart = each.nodes().stream().anyMatch(node -> node.table().equalsIgnoreCase(table));
      (isPart ? keys : keysOfOthers).addAll(each.shardingColumns());
    }
    var columns = new LinkedHashMap<String, Column>();
    keys.forEach(name -> columns.put(name, column(name, true)));
    for (String word : words) {
      String name = word.toLowerCase(Locale.ROOT);
      if (!keysOfOthers.contains(name)) {
        columns.putIfAbsent(name, column(word, false));
      }
    }
    return Optional.of(new TableSchema(table, List.copyOf(columns.values())));
  }

  private boolean isListed(String dataSource, String table) {
    return database.endpoints().size() == 1
        || database.broadcastTables().containsKey(table.toLowerCase(Locale.ROOT))
        || database.single().tables().stream()
            .anyMatch(each -> each.equalsIgnoreCase(dataSource + "." + table))
        || database.shardedTables().values().stream()
            .flatMap(each -> each.nodes().stream())
            .anyMatch(node -> node.table().equalsIgnoreCase(table));
  }

  private Column column(String name, boolean isKey) {
    boolean isText = texts.contains(name.toLowerCase(Locale.ROOT));
    return new Column(
        name,
        isText ? "varchar(255)" : "bigint(20)",
        isText ? COLLATION : null,
        !isKey,
        false,
        isKey,
        false,
        false,
        false,
        false);
  }

  @Override
  public List<String> tableNames(String dataSource) {
    throw new DatabaseNeededException("the tables of " + dataSource);
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    String text = new String(query.sql(), StandardCharsets.UTF_8);
    Matcher list = SELECT_LIST.matcher(text);
    if (!list.find()) {
      throw new DatabaseNeededException("the types of the result on " + query.dataSource());
    }
    return items(list.group(1)).stream().map(item -> result(item.strip())).toList();
  }

  private static List<String> items(String list) {
    var items = new ArrayList<String>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < list.length(); i++) {
      char c = list.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == ',' && depth == 0) {
        items.add(list.substring(start, i));
        start = i + 1;
      }
    }
    items.add(list.substring(start));
    return items;
  }

  private ResultColumn result(String item) {
    String[] named = item.split("(?i)\\s+as\\s+", 2);
    String name = named[named.length - 1].replace("`", "");
    String bare = named[0].substring(named[0].lastIndexOf('.') + 1).replace("`", "");
    boolean isWeight = item.toUpperCase(Locale.ROOT).startsWith("WEIGHT_STRING(");
    boolean isText = isWeight || texts.contains(bare.toLowerCase(Locale.ROOT));
    boolean isColumn = WORD.matcher(bare).matches();
    return new ResultColumn(
        "",
        "",
        "",
        name,
        isColumn ? bare : "",
        isText && !isWeight ? GENERAL_CI : BINARY,
        isText ? TEXT_LENGTH : INTEGER_LENGTH,
        isText ? VAR_STRING : LONGLONG,
        0,
        0);
  }

  @Override
  public List<ResultColumn> describeOver(Map<String, String> tables, ShardQuery query) {
    return describe(query);
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    throw new DatabaseNeededException("the types of " + name);
  }

  @Override
  public CollationWeights weights(String dataSource, int id) {
    return id == BINARY
        ? CollationWeights.binary()
        : new CollationWeights(COLLATION, true, " ".getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String defaultSchema(String dataSource) {
    String member =
        database.groups().containsKey(dataSource)
            ? Objects.requireNonNull(database.groups().get(dataSource)).primary()
            : dataSource;
    DataSourceDefinition source = database.dataSources().get(member);
    return source == null ? "" : source.schema();
  }

  @Override
  public void refresh(@Nullable String table) {}
}
