package io.anabranch.rules.planner;

import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.compare.CollationWeights;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.ShardQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A schema for planner tests, where the names of columns tell their types: {@code name}… is a
 * string, {@code kind} an ENUM, all else an integer. Describes only what the tests ask for: a
 * select list of names, calls and {@code *}, in front of FROM.
 */
public final class FakeCatalog implements SchemaCatalog {

  /** A collation whose weights decide nothing: latin2_czech_cs. */
  private static final int UNDECIDED = 2;

  private static final int INTEGER = 8;
  private static final int STRING = 253;
  private static final int ENUM = 254;
  private static final int ENUM_FLAG = 256;
  private static final int GENERAL_CI = 45;

  private static final Set<String> KEYS = Set.of("order_id", "user_id", "item_id", "code", "k");

  /** As {@code *} is written out. */
  private static final Pattern QUOTED = Pattern.compile("`\\w+`");

  private static final Pattern STAR = Pattern.compile("(\\w+\\.)?\\*");

  /** Lower-case actual table names by data source, with their columns. */
  private final Map<String, Map<String, List<String>>> tables;

  /** Views of ds_0: their columns, and their queries as servers tell them. */
  private static final Map<String, List<String>> VIEW_COLUMNS =
      Map.of(
          "v_few", List.of("order_id", "who", "kind", "twice"),
          "v_checked", List.of("order_id", "user_id", "name", "kind"),
          "v_keys", List.of("name"),
          "v_over", List.of("id", "who"),
          "v_dict", List.of("word", "code"),
          "v_sums", List.of("user_id", "n"));

  private static final Map<String, String> VIEWS =
      Map.of(
          "v_few",
          "select `t_order`.`order_id` AS `order_id`,`t_order`.`user_id` AS `who`,`t_order`.`kind`"
              + " AS `kind`,`t_order`.`amount` * 2 AS `twice` from `backend`.`t_order_0` `t_order`"
              + " where `t_order`.`name` = 'x' or `t_order`.`amount` > 3",
          "v_checked",
          "select `o`.`order_id` AS `order_id`,`o`.`user_id` AS `user_id`,`o`.`name` AS"
              + " `name`,`o`.`kind` AS `kind` from `backend`.`t_order_0` `o` where `o`.`kind` ="
              + " 'a'",
          "v_keys",
          "select `backend`.`t_key_0`.`name` AS `name` from `backend`.`t_key_0`",
          "v_over",
          "select `v_few`.`order_id` AS `id`,`v_few`.`who` AS `who` from `backend`.`v_few` where"
              + " `v_few`.`twice` < 9",
          "v_dict",
          "select `backend`.`t_dict`.`name` AS `word`,`backend`.`t_dict`.`code` AS `code` from"
              + " `backend`.`t_dict`",
          "v_sums",
          "select `t_order`.`user_id` AS `user_id`,count(0) AS `n` from `backend`.`t_order_0`"
              + " `t_order` group by `t_order`.`user_id`");

  final List<String> described = new ArrayList<>();

  /** Data sources that cannot be reached. */
  final Set<String> down = new HashSet<>();

  /** Those of them that are known not to answer. */
  final Set<String> noticed = new HashSet<>();

  /** Those where tables may differ in case alone. */
  final Set<String> telling = new HashSet<>();

  /** Actual tables with triggers, or with references that cascade. */
  final List<String> writing = new ArrayList<>();

  /** Actual tables to the bodies of their triggers BEFORE INSERT. */
  final Map<String, String> filling = new HashMap<>();

  /** Actual tables of engines that are not InnoDB, with those. */
  final Map<String, String> engines = new HashMap<>();

  public FakeCatalog(Map<String, Map<String, List<String>>> tables) {
    this.tables = tables;
  }

  @Override
  public boolean tellsCase(String dataSource) {
    return telling.contains(dataSource);
  }

  @Override
  public boolean isReachable(String endpoint) {
    return !noticed.contains(endpoint);
  }

  @Override
  public Optional<TableSchema> table(String dataSource, String table) {
    requireUp(dataSource);
    List<String> shown = dataSource.equals("ds_0") ? VIEW_COLUMNS.get(table) : null;
    if (shown != null) {
      List<Column> columns = shown.stream().map(FakeCatalog::column).toList();
      return Optional.of(new TableSchema(table, columns, VIEWS.get(table)));
    }
    List<String> columns = tables.getOrDefault(dataSource, Map.of()).get(table);
    return columns == null
        ? Optional.empty()
        : Optional.of(new TableSchema(table, columns.stream().map(FakeCatalog::column).toList()));
  }

  private void requireUp(String dataSource) {
    if (down.contains(dataSource)) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(dataSource, "Connection refused");
    }
  }

  private static Column column(String name) {
    return switch (type(name)) {
      case STRING -> new Column(name, "varchar(20)", "utf8mb4_general_ci", true, false);
      case ENUM -> new Column(name, "enum('a','b')", "utf8mb4_general_ci", true, false);
      default ->
          new Column(
              name,
              "bigint(20)",
              null,
              true,
              false,
              KEYS.contains(name),
              false,
              false,
              false,
              false);
    };
  }

  private static int type(String name) {
    if (name.contains("name")) {
      return STRING;
    }
    return name.equals("kind") ? ENUM : INTEGER;
  }

  /** Views without CHECK OPTION; there is nothing else. */
  @Override
  public List<List<@Nullable String>> rows(String dataSource, String sql, LongConsumer kept) {
    if (sql.contains("REFERENTIAL_CONSTRAINTS")) {
      return writing.stream().<List<@Nullable String>>map(List::of).toList();
    }
    if (sql.equals(SchemaCatalog.FILLED)) {
      return filling.entrySet().stream()
          .<List<@Nullable String>>map(of -> List.of(of.getKey(), of.getValue()))
          .toList();
    }
    if (sql.contains("ENGINE")) {
      return engines.entrySet().stream()
          .<List<@Nullable String>>map(of -> List.of(of.getKey(), of.getValue(), "BASE TABLE"))
          .toList();
    }
    return sql.contains("CHECK_OPTION = 'NONE'") && !sql.contains("v_checked")
        ? List.of(List.of("NONE"))
        : List.of();
  }

  @Override
  public List<String> tableNames(String dataSource) {
    return List.copyOf(tables.getOrDefault(dataSource, Map.of()).keySet());
  }

  @Override
  public List<ResultColumn> describe(ShardQuery query) {
    requireUp(query.dataSource());
    String sql = query.sqlText();
    described.add(sql);
    if (sql.contains("nonsense")) {
      throw new DescribeException(1064, "42000", "You have an error in your SQL syntax");
    }
    String list = sql.replaceFirst("(?is)^\\(?select( distinct)? ", "").split("(?i) from ", 2)[0];
    var columns = new ArrayList<ResultColumn>();
    for (String item : items(list)) {
      if (sql.startsWith("SELECT * FROM information_schema.")) {
        columns.add(result("tables", "TABLE_SCHEMA"));
        columns.add(result("tables", "TABLE_NAME"));
        columns.add(result("tables", "ENGINE"));
      } else if (STAR.matcher(item.strip()).matches()) {
        for (String name : List.of("order_id", "user_id", "name", "kind")) {
          columns.add(result("t_order", name));
        }
      } else if (QUOTED.matcher(item.strip()).matches()) {
        columns.add(result("t_order", item.strip().replace("`", "")));
      } else {
        columns.add(result("", item.strip()));
      }
    }
    return columns;
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

  @Override
  public List<ResultColumn> describeOver(Map<String, String> made, ShardQuery query) {
    return describe(query);
  }

  @Override
  public MadeTable made(String name, ShardQuery create) {
    requireUp(create.dataSource());
    described.add(create.sqlText());
    String query = create.sqlText().replaceFirst("(?is)^.*? (?=select)", "");
    var asked = ShardQuery.text(create.dataSource(), query.getBytes(StandardCharsets.UTF_8));
    List<String> columns = describe(asked).stream().map(ResultColumn::name).toList();
    return new MadeTable(
        " (" + String.join(", ", columns) + ")",
        new TableSchema(name, columns.stream().map(FakeCatalog::column).toList()));
  }

  private static ResultColumn result(String table, String item) {
    String upper = item.toUpperCase(java.util.Locale.ROOT);
    String[] words = item.split("(?i) as ", -1);
    boolean numeric =
        upper.startsWith("COUNT(")
            || upper.startsWith("SUM(")
            || upper.startsWith("AVG(")
            || item.contains("+0");
    boolean weight = upper.startsWith("WEIGHT_STRING(");
    String bare = words[0].substring(words[0].lastIndexOf('.') + 1);
    int type = numeric || weight ? INTEGER : type(bare.matches("\\w+") ? bare : item);
    return new ResultColumn(
        "backend",
        table,
        table,
        words[words.length - 1],
        type == ENUM && bare.matches("\\w+") ? bare : table.isEmpty() ? "" : item,
        weight || type == INTEGER ? 63 : GENERAL_CI,
        20,
        weight ? STRING : type,
        type == ENUM ? ENUM_FLAG : 0,
        0);
  }

  @Override
  public CollationWeights weights(String dataSource, int id) {
    return id == 63
        ? CollationWeights.binary()
        : new CollationWeights(
            "utf8mb4_general_ci", id != UNDECIDED, " ".getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String defaultSchema(String dataSource) {
    return "backend";
  }

  @Override
  public void refresh(@Nullable String table) {}
}
