package io.anabranch.rules.resolve;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableDefinition.Item;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.Refusal;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.ClauseWords;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * JSON paths for which servers read a generated column with a key, or the expression of a key:
 * their collation then decides, and no description tells it. {@code ORDER BY doc->>'$.name'} is by
 * {@code utf8mb4_bin}, but by the column's collation where there is a key of {@code name
 * VARCHAR(40) AS (doc->>'$.name')}. Of others than texts the comparison stays the same.
 *
 * <p>Used once, by one planning thread; asks servers only where the statement has paths.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/9.0/en/generated-column-index-optimizations.html">
 *     Optimizer Use of Generated Column Indexes</a>
 */
public final class StandingPaths {

  private static final String WAY_OUT = "name that column, or give the expression a COLLATE";

  /** What a table computes by a path. */
  private record Standing(String path, String name, String expression) {

    /** Whether it may stand for an expression that begins so: a call of some function, or none. */
    boolean suits(SqlTokens tokens) {
      boolean isCall = tokens.kind(0) == TokenKind.WORD && tokens.isPunctuation(1, '(');
      String function = tokens.word(0).toLowerCase(Locale.ROOT);
      return !isCall || function.startsWith("json_") || expression.contains(function + "(");
    }
  }

  private final Analysis analysis;
  private final SqlTokens tokens;
  private final Set<String> mentioned;
  private @Nullable List<Standing> known;

  public StandingPaths(Analysis analysis) {
    this.analysis = analysis;
    this.tokens = analysis.source().tokens();
    this.mentioned = paths(tokens);
  }

  private static Set<String> paths(SqlTokens tokens) {
    return tokens.all().where(token -> isPath(tokens, token)).stream()
        .map(token -> path(tokens, token))
        .collect(Collectors.toSet());
  }

  /** The slots of all paths: a plan holds for these alone. */
  static IntStream slots(SqlTokens tokens) {
    return tokens.all().where(token -> isPath(tokens, token)).stream()
        .mapToInt(tokens::slot)
        .filter(slot -> slot >= 0);
  }

  private static boolean isPath(SqlTokens tokens, int token) {
    if (tokens.kind(token) != TokenKind.STRING || !path(tokens, token).startsWith("$")) {
      return false;
    }
    return tokens.isOperator(token - 1, "->")
        || tokens.isOperator(token - 1, "->>")
        || tokens.word(tokens.around(token) - 1).startsWith("JSON_");
  }

  private static String path(SqlTokens tokens, int token) {
    String literal = tokens.text(token);
    return literal.substring(1, literal.length() - 1);
  }

  /**
   * What keeps an expression from ordering or grouping rows of several nodes; null: nothing does.
   *
   * @param expression with its literals
   */
  public @Nullable Refusal ofKey(String expression) {
    if (mentioned.isEmpty()) {
      return null;
    }
    SqlTokens key = SqlTokens.of(expression);
    if (key.mention("COLLATE")) {
      return null;
    }
    Set<String> paths = paths(key);
    return known().stream()
        .filter(each -> paths.contains(each.path()) && each.suits(key))
        .findFirst()
        .map(each -> refusal("ordering or grouping by", each))
        .orElse(null);
  }

  /**
   * What keeps the statement from running over copies, which have no such columns; null: nothing
   * does. Paths that are shown alone are computed alike.
   */
  public @Nullable Refusal ofCopies() {
    if (mentioned.isEmpty() || known().isEmpty()) {
      return null;
    }
    var clauses = new ClauseWords(tokens);
    return tokens.all().search(token -> ofCopies(clauses, token));
  }

  private @Nullable Refusal ofCopies(ClauseWords clauses, int token) {
    if (!isPath(tokens, token)) {
      return null;
    }
    int clause = clauses.nearest(token);
    boolean isShown =
        tokens.isAnyWord(clause, "SET", "VALUES")
            || (tokens.isWord(clause, "SELECT") && isShown(clauses, token));
    String path = path(tokens, token);
    return isShown || tokens.isWord(behindClause(token), "COLLATE")
        ? null
        : known().stream()
            .filter(each -> each.path().equals(path))
            .findFirst()
            .map(each -> refusal("comparing by", each))
            .orElse(null);
  }

  private int behindClause(int path) {
    return tokens.isPunctuation(path + 1, ')') ? path + 2 : path + 1;
  }

  /** Whether what is selected neither groups nor orders, under its name or its position. */
  private boolean isShown(ClauseWords clauses, int token) {
    if (tokens.depth(clauses.nearest(token)) > 0
        || tokens.mention("GROUP")
        || tokens.mention("DISTINCT")) {
      return false;
    }
    int behind = tokens.from(token).until(0, at -> isComma(at) || ClauseEnds.endsItems(tokens, at));
    String alias = tokens.isName(behind - 1) ? tokens.name(behind - 1) : "";
    return !tokens
        .all()
        .has(each -> clauses.isKey(each) && (isPosition(each) || isNamed(each, alias)));
  }

  private boolean isComma(int token) {
    return tokens.isPunctuation(token, ',');
  }

  private boolean isPosition(int token) {
    return tokens.kind(token) == TokenKind.NUMBER;
  }

  private boolean isNamed(int token, String alias) {
    return !alias.isEmpty() && tokens.isName(token) && tokens.name(token).equalsIgnoreCase(alias);
  }

  private static Refusal refusal(String what, Standing standing) {
    return new Refusal(
        what
            + " the JSON path '"
            + standing.path()
            + "', for which a server may read the generated column or key '"
            + standing.name()
            + "'",
        WAY_OUT);
  }

  private List<Standing> known() {
    List<Standing> all = known;
    if (all == null) {
      all = new ArrayList<>();
      for (PlacedTable table : analysis.tables()) {
        read(table, all);
      }
      all.removeIf(each -> !mentioned.contains(each.path()));
      known = all;
    }
    return all;
  }

  private void read(PlacedTable table, List<Standing> all) {
    TableDefinition definition = definition(table);
    if (definition == null) {
      return;
    }
    List<String> generated =
        Analysis.schema(analysis.task(), table).stream()
            .flatMap(found -> found.columns().stream())
            .filter(Column::generated)
            .filter(column -> column.collation() != null && !column.collation().endsWith("_bin"))
            .map(Column::name)
            .toList();
    for (TableKey key : definition.keys()) {
      for (TableKey.Part part : key.parts()) {
        String column = part.column();
        if (column == null && isText(part.expression())) {
          add(key.name(), part.expression(), all);
        } else if (column != null && generated.stream().anyMatch(column::equalsIgnoreCase)) {
          Item item = definition.column(column);
          add(column, item == null ? "" : item.text(), all);
        }
      }
    }
  }

  private static boolean isText(String expression) {
    String lower = expression.toLowerCase(Locale.ROOT);
    return lower.contains(" char") && !lower.contains("_bin");
  }

  private static void add(String name, String expression, List<Standing> all) {
    for (String path : paths(SqlTokens.of(expression))) {
      all.add(new Standing(path, name, expression.toLowerCase(Locale.ROOT)));
    }
  }

  /** Null: it is a view, or a system's. */
  private @Nullable TableDefinition definition(PlacedTable table) {
    boolean isView = table instanceof PlacedTable.Sharded sharded && sharded.view() != null;
    List<DataNode> nodes = table.nodes(analysis.task());
    return isView || nodes.isEmpty() ? null : analysis.task().definition(nodes).orElse(null);
  }
}
