package io.anabranch.rules.planner.scatter;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.table.PlacedTable;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the parts of a table have the same columns, as far as a statement depends on it: after an
 * ALTER that failed on one node, rows of several nodes would stand under wrong names, and no
 * database would complain of a UNION ALL of them.
 */
public final class ColumnDrift {

  private static final Set<String> INTEGERS =
      Set.of("tinyint", "smallint", "mediumint", "int", "bigint");

  private static final Set<String> TEXTS =
      Set.of("varchar", "tinytext", "text", "mediumtext", "longtext");

  private final PlanTask task;
  private final SqlTokens tokens;
  private final boolean readsAll;

  /**
   * @param tokens of the statement
   * @param readsAll whether it depends on the order of columns
   */
  public ColumnDrift(PlanTask task, SqlTokens tokens, boolean readsAll) {
    this.task = task;
    this.tokens = tokens;
    this.readsAll = readsAll;
  }

  /** What must not be answered over several nodes; null: nothing stands against it. */
  public static @Nullable RefusedException of(Analysis analysis) {
    SqlTokens tokens = analysis.source().tokens();
    var drift = new ColumnDrift(analysis.task(), tokens, readsAll(tokens));
    return drift.of(analysis.tables());
  }

  private @Nullable RefusedException of(List<PlacedTable> tables) {
    var looked = new HashSet<String>();
    for (PlacedTable table : tables) {
      boolean hasParts =
          table instanceof PlacedTable.Sharded || table instanceof PlacedTable.Broadcast;
      if (!hasParts || !looked.add(table.ref().name().toLowerCase(Locale.ROOT))) {
        continue;
      }
      RefusedException found =
          switch (table) {
            case PlacedTable.Sharded sharded when sharded.view() == null ->
                of(sharded.table().name(), sharded.table().nodes());
            case PlacedTable.Sharded sharded ->
                new ColumnDrift(task, tokens, true)
                    .of(sharded.table().name(), sharded.table().nodes());
            case PlacedTable.Broadcast broadcast -> broadcast(broadcast.ref().name());
            case PlacedTable.Single ignored -> null;
            case PlacedTable.View ignored -> null;
            case PlacedTable.Catalogue ignored -> null;
          };
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Of a table that all endpoints have. */
  public @Nullable RefusedException broadcast(String name) {
    return of(name, task.database().everywhere(name));
  }

  /**
   * What was remembered may have been mended by hand meanwhile: before it refuses it asks anew.
   *
   * @param name as clients know the table
   */
  public @Nullable RefusedException of(String name, List<DataNode> nodes) {
    if (nodes.size() < 2 || differs(nodes) == null) {
      return null;
    }
    task.catalog().refresh(null);
    String difference = differs(nodes);
    return difference == null
        ? null
        : ErrorCatalogue.DEFINITIONS_DIFFER.refuse(name, difference, name);
  }

  private @Nullable String differs(List<DataNode> nodes) {
    Map<String, List<String>> bySource = new LinkedHashMap<>();
    for (DataNode node : nodes) {
      bySource.computeIfAbsent(node.dataSource(), name -> new ArrayList<>()).add(node.table());
    }
    String model = "";
    TableSchema first = null;
    for (Map.Entry<String, List<String>> source : bySource.entrySet()) {
      if (!task.catalog().isReachable(source.getKey())) {
        continue;
      }
      for (TableSchema schema : known(source.getKey(), source.getValue())) {
        String called = source.getKey() + "." + schema.name();
        if (first == null) {
          first = schema;
          model = called;
          continue;
        }
        String difference = differs(first, schema);
        if (difference != null) {
          return called + " " + difference + " " + model;
        }
      }
    }
    return null;
  }

  private List<TableSchema> known(String source, List<String> names) {
    try {
      return task.catalog().tables(source, names);
    } catch (RefusedException refusal) {
      if (refusal.isUnreachable()) {
        return List.of();
      }
      throw refusal;
    }
  }

  /** Names first: an order of others is no order. */
  private @Nullable String differs(TableSchema model, TableSchema own) {
    List<Column> wanted = model.columns();
    List<Column> found = own.columns();
    Map<String, Column> founds = byName(found);
    Map<String, Column> wanteds = byName(wanted);
    for (Column column : wanted) {
      Column same = founds.get(column.name());
      if (isUsed(column.name()) && same == null) {
        return "is without column '" + column.name() + "' of";
      }
      if (isUsed(column.name()) && same != null && !readsAlike(column, same)) {
        return "has column '"
            + column.name()
            + "' as "
            + told(same)
            + ", other than "
            + told(column)
            + " of";
      }
    }
    for (Column column : found) {
      if (isUsed(column.name()) && !wanteds.containsKey(column.name())) {
        return "has a column '" + column.name() + "', unlike";
      }
    }
    for (int i = 0; readsAll && i < Math.min(wanted.size(), found.size()); i++) {
      if (!wanted.get(i).name().equalsIgnoreCase(found.get(i).name())) {
        return "has its columns in another order ("
            + String.join(", ", found.stream().map(Column::name).toList())
            + ") than";
      }
    }
    return null;
  }

  private boolean isUsed(String column) {
    return readsAll || tokens.mention(column);
  }

  private static Map<String, Column> byName(List<Column> columns) {
    var named = new TreeMap<String, Column>(String.CASE_INSENSITIVE_ORDER);
    for (Column column : columns) {
      named.put(column.name(), column);
    }
    return named;
  }

  private static String told(Column column) {
    return column.collation() == null ? column.type() : column.type() + " " + column.collation();
  }

  /** Whether values of both mean the same to a reader: lengths may differ. */
  private static boolean readsAlike(Column one, Column other) {
    return one.hidden() == other.hidden()
        && Objects.equals(one.collation(), other.collation())
        && family(one.type()).equals(family(other.type()));
  }

  private static String family(String columnType) {
    String type = columnType.toLowerCase(Locale.ROOT);
    String word = type.split("[ (]", 2)[0];
    if (INTEGERS.contains(word) && !type.contains("zerofill")) {
      return type.contains("unsigned") ? "integer unsigned" : "integer";
    }
    return TEXTS.contains(word) ? "text" : type;
  }

  /** Whether the statement takes columns as they stand in the table. */
  static boolean readsAll(SqlTokens tokens) {
    return tokens
        .all()
        .has(
            token ->
                tokens.isWord(token, "NATURAL")
                    || (tokens.isOperator(token, "*") && isStar(tokens, token))
                    || (token == 0 && tokens.isWord(token, "TABLE")));
  }

  /** {@code *} that is no product, and not that of COUNT. */
  private static boolean isStar(SqlTokens tokens, int token) {
    if (tokens.isPunctuation(token - 1, '.')) {
      return true;
    }
    boolean isCounted =
        tokens.isPunctuation(token - 1, '(') && tokens.isPunctuation(token + 1, ')');
    boolean isOperand =
        token > 0
            && (tokens.kind(token - 1) != TokenKind.WORD || isOperand(tokens, token - 1))
            && !tokens.isPunctuation(token - 1, ',')
            && !tokens.isPunctuation(token - 1, '(')
            && tokens.kind(token - 1) != TokenKind.OPTIMIZER_HINT
            && tokens.kind(token - 1) != TokenKind.EXECUTABLE_END;
    return !isCounted && !isOperand;
  }

  /** A word in front of {@code *} that is no word of SELECT. */
  private static boolean isOperand(SqlTokens tokens, int token) {
    for (String word :
        List.of(
            "SELECT",
            "ALL",
            "DISTINCT",
            "DISTINCTROW",
            "HIGH_PRIORITY",
            "STRAIGHT_JOIN",
            "SQL_SMALL_RESULT",
            "SQL_BIG_RESULT",
            "SQL_BUFFER_RESULT",
            "SQL_CACHE",
            "SQL_NO_CACHE",
            "SQL_CALC_FOUND_ROWS",
            "RETURNING")) {
      if (tokens.isWord(token, word) && !tokens.isPunctuation(token - 1, '.')) {
        return false;
      }
    }
    return true;
  }
}
