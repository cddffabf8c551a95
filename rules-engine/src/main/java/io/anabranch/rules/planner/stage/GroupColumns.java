package io.anabranch.rules.planner.stage;

import io.anabranch.rules.compare.Comparability;
import io.anabranch.rules.error.NotMergeableException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StagedTable.Cell;
import io.anabranch.rules.resolve.Analysis;
import io.anabranch.rules.resolve.Quotients;
import io.anabranch.rules.rewrite.Substatement;
import io.anabranch.rules.routing.key.BlockColumns;
import io.anabranch.rules.routing.key.ColumnKey;
import io.anabranch.rules.sql.ColumnName;
import io.anabranch.rules.sql.SelectFacts;
import io.anabranch.rules.sql.SelectItem;
import io.anabranch.rules.syntax.query.SelectLayout;
import io.anabranch.rules.table.PlacedTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The keys and aggregates that expressions over groups are made of, each a column once. */
public final class GroupColumns {

  /** How a column is declared and travels. */
  record Stored(String definition, Cell cell) {}

  /**
   * A column of the merged groups.
   *
   * @param before what stands in front of the tokens: SUM for AVG
   */
  private record Column(String before, Span span) {}

  private static final String NAME = "abg";

  private static final Set<String> TAKEN =
      Set.of("COUNT", "SUM", "MIN", "MAX", "AVG", "BIT_AND", "BIT_OR", "BIT_XOR");

  private static final Set<String> BITS = Set.of("BIT_AND", "BIT_OR", "BIT_XOR");

  private static final int UNSIGNED = 0x20;
  private static final int DOUBLE = 5;
  private static final int DECIMAL = 246;

  private final Analysis analysis;
  private final SelectFacts select;
  private final SelectLayout layout;
  private final SqlTokens tokens;
  private final BlockColumns block;

  /** Null until it is asked for. */
  private @Nullable Quotients quotients;

  private final List<Column> columns = new ArrayList<>();

  /** Numbers of columns by their text; those with literals are columns of their own. */
  private final Map<String, Integer> known = new HashMap<>();

  /** Columns that are sums of averages. */
  private final Set<Integer> averaged = new HashSet<>();

  private final Map<ColumnKey, Integer> keys = new HashMap<>();

  /** In lower case. */
  private final Set<String> aliases;

  private final Averages averages;

  /** What the database says of the columns; empty until they are all known. */
  private List<ResultColumn> described = List.of();

  GroupColumns(Analysis analysis, SelectFacts select, SelectLayout layout, Averages averages) {
    this.averages = averages;
    this.analysis = analysis;
    this.select = select;
    this.layout = layout;
    this.tokens = analysis.source().tokens();
    this.block =
        new BlockColumns(
            analysis.facts().blocks().getFirst(),
            analysis.tablesOf(0).stream().map(PlacedTable::columns).toList());
    for (int i = 0; i < layout.groupBy().size(); i++) {
      SelectItem item = select.groupBy().get(i);
      ColumnKey key = item instanceof SelectItem.Column name ? block.resolve(name.column()) : null;
      if (key == null) {
        throw refused("GROUP BY an expression");
      }
      keys.putIfAbsent(key, i);
      columns.add(new Column("", layout.groupBy().get(i)));
    }
    aliases =
        select.aliases().stream()
            .filter(Objects::nonNull)
            .map(alias -> alias.toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
  }

  private static NotMergeableException refused(String construct) {
    return new NotMergeableException(construct, "select the plain aggregates");
  }

  public static Span withoutAlias(SqlTokens tokens, SelectFacts select, int item, Span span) {
    if (select.aliases().get(item) == null) {
      return span;
    }
    int behind = span.behind() - 1;
    return new Span(span.first(), tokens.isWord(behind - 1, "AS") ? behind - 1 : behind);
  }

  /**
   * Writes the tokens with columns of the groups in the place of keys and aggregates; before {@link
   * #stored} only to collect these.
   */
  void compute(Span span, Substatement.Builder to, boolean aliases) {
    averages.require(tokens, span);
    List<Integer> written = tokens.in(span).outside(open -> isAggregateCall(open - 1));
    for (int token : written.stream().filter(each -> begins(each, span)).toList()) {
      boolean call = tokens.isPunctuation(token + 1, '(');
      if (tokens.isAnyWord(token, "SELECT", "OVER")
          || (tokens.isOperator(token, "*") && isStar(token, span))) {
        throw refused("a subquery, a window function or * over groups");
      }
      if (isAggregateCall(token)) {
        aggregate(token, to);
      } else if (tokens.isName(token) && !call) {
        name(token, to, aliases ? span : Span.NONE);
      } else {
        to.text(" ").tokens(token, token + 1);
        if (call && tokens.isName(token)) {
          // no blank may stand between a function's name and its parenthesis
          to.tokens(token + 1, token + 2);
        }
      }
    }
  }

  /** Whether something of its own is written for the token, and not with the one in front. */
  private boolean begins(int token, Span span) {
    boolean isOfName =
        tokens.isPunctuation(token, '.')
            ? tokens.isName(token + 1)
            : tokens.isName(token) && tokens.isPunctuation(token - 1, '.');
    boolean isOfCall =
        tokens.isPunctuation(token, '(') && token > span.first() && tokens.isName(token - 1);
    return !isOfName && !isOfCall;
  }

  private boolean isAggregateCall(int token) {
    return tokens.kind(token) == TokenKind.WORD
        && tokens.isPunctuation(token + 1, '(')
        && isAggregate(token);
  }

  private boolean isStar(int token, Span span) {
    return token == span.first() || tokens.isPunctuation(token - 1, '.');
  }

  private boolean isAggregate(int token) {
    String word = tokens.word(token);
    if (TAKEN.contains(word)) {
      return true;
    }
    boolean other =
        word.startsWith("STD")
            || word.startsWith("VAR")
            || word.startsWith("JSON_")
            || word.startsWith("GROUP_")
            || word.startsWith("ST_")
            || word.startsWith("PERCENTILE")
            || word.equals("ANY_VALUE")
            || word.equals("MEDIAN")
            || word.equals("GROUPING")
            || word.equals("DEFAULT")
            || word.equals("VALUES");
    if (other) {
      throw refused(word + "()");
    }
    return false;
  }

  private void aggregate(int token, Substatement.Builder to) {
    int behind = tokens.closing(token + 1) + 1;
    boolean windowed = tokens.isWord(behind, "OVER");
    if (behind > tokens.size() || windowed || tokens.end(token) != tokens.start(token + 1)) {
      throw refused("an aggregate with a blank behind its name, or with OVER");
    }
    if (tokens
            .between(token + 2, behind)
            .has(inner -> tokens.isOperator(inner, "/") || tokens.isWord(inner, "SELECT"))
        || quotients().mentionsOne(new Span(token + 2, behind))) {
      throw refused("an aggregate of a quotient or of a subquery");
    }
    if (!tokens.isWord(token, "AVG")) {
      to.text(" " + NAME + column("", new Span(token, behind)));
      return;
    }
    if (tokens.isWord(token + 2, "DISTINCT")) {
      throw refused("AVG(DISTINCT …)");
    }
    Span argument = new Span(token + 1, behind);
    int sum = column("SUM", argument);
    int count = column("COUNT", argument);
    averaged.add(sum);
    if (!described.isEmpty()) {
      averages.append(to, NAME + sum, NAME + count, described.get(sum));
    }
  }

  private Quotients quotients() {
    Quotients found = quotients == null ? Quotients.read(analysis) : quotients;
    quotients = found;
    return found;
  }

  /** Whether no two groups can come out as the same row. */
  boolean showsKeys() {
    return resolved(select.items()).containsAll(resolved(select.groupBy()));
  }

  private Set<ColumnKey> resolved(List<SelectItem> items) {
    var found = new HashSet<ColumnKey>();
    for (SelectItem item : items) {
      ColumnKey key = item instanceof SelectItem.Column name ? block.resolve(name.column()) : null;
      if (key != null) {
        found.add(key);
      }
    }
    return found;
  }

  /** Whether a value that IF or CASE gives keeps its own digits. */
  boolean showsOwnDigits() {
    return !averages.mariaDb();
  }

  /** Whether the span is one AVG, and nothing else. */
  boolean isAverage(Span span) {
    return tokens.isWord(span.first(), "AVG")
        && tokens.closing(span.first() + 1) + 1 == span.behind();
  }

  /** Behind the point of an AVG, as the server shows it; once the columns are described. */
  int decimalsOfAverage(Span average) {
    int sum = column("SUM", new Span(average.first() + 1, average.behind()));
    return Math.min(described.get(sum).decimals() + averages.increment(), Averages.MOST_DECIMALS);
  }

  /** To MySQL the bits of numbers are binary where they become texts; a column of them is not. */
  void refuseTextsOfBits(List<ResultColumn> told) {
    boolean areBinary = !averages.mariaDb() && BITS.stream().anyMatch(tokens::mention);
    if (areBinary && told.stream().anyMatch(Comparability::isString)) {
      throw refused("bits of numbers as texts");
    }
  }

  /** Whether an AVG of exact numbers is among what was computed. */
  boolean averagesExact() {
    return averaged.stream()
        .anyMatch(sum -> !described.isEmpty() && described.get(sum).type() != DOUBLE);
  }

  private int column(String before, Span span) {
    int number = columns.size();
    Integer same = known.putIfAbsent(text(before, span), number);
    if (same != null) {
      return same;
    }
    columns.add(new Column(before, span));
    return number;
  }

  /** What two columns have in common that are one; with literals each place is one of its own. */
  private String text(String before, Span span) {
    TokenRange range = tokens.in(span);
    return range.slots().isEmpty() ? before + " " + range.saying() : before + " at " + span.first();
  }

  /**
   * A column must be a key; what is none may be a word, or an alias in ORDER BY, where one that
   * stands for itself is an alias first, and within an expression a column first.
   *
   * @param ordered what ORDER BY says; nothing elsewhere
   */
  private void name(int token, Substatement.Builder to, Span ordered) {
    int last = tokens.lastOfName(token);
    String name = tokens.name(last);
    boolean isAlias = last == token && isAlias(name);
    if (isAlias && ordered.isEmpty()) {
      throw refused("an alias in an expression over groups");
    }
    ColumnKey key =
        isAlias && isAlone(token, ordered)
            ? null
            : block.resolve(new ColumnName(last > token ? tokens.name(last - 2) : null, name));
    if (key == null) {
      if (last > token || (tokens.kind(token) == TokenKind.QUOTED && !isAlias)) {
        throw refused("a name that is no column of GROUP BY");
      }
      to.text(" ").tokens(token, last + 1);
    } else if (last == token && StagePushdown.mayBeWord(tokens, token)) {
      throw refused("a column that is called like a word of an expression over groups");
    } else {
      to.text(" " + NAME + keyOf(key));
    }
  }

  private boolean isAlone(int token, Span ordered) {
    TokenRange name = tokens.between(token, token + 1).wrapped();
    boolean begins = name.first() == ordered.first() || tokens.isPunctuation(name.first() - 1, ',');
    boolean ends =
        name.behind() == ordered.behind()
            || tokens.isPunctuation(name.behind(), ',')
            || tokens.isAnyWord(name.behind(), "ASC", "DESC");
    return begins && ends && tokens.depth(name.first()) == tokens.depth(ordered.first());
  }

  private boolean isAlias(String name) {
    return aliases.contains(name.toLowerCase(Locale.ROOT));
  }

  private int keyOf(ColumnKey wanted) {
    Integer key = keys.get(wanted);
    if (key == null) {
      throw refused("a column that is not in GROUP BY");
    }
    return key;
  }

  /** {@code SELECT keys, aggregates FROM … GROUP BY keys}. */
  Substatement query() {
    if (columns.isEmpty()) {
      throw refused("no aggregate that parts add up to");
    }
    var query = new Substatement.Builder(analysis.task(), analysis.source()).text("SELECT ");
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      query.text(i == 0 ? "" : ", ").text(column.before());
      query.tokens(column.span().first(), column.span().behind()).text(" AS " + NAME + i);
    }
    query.text(" ").tokens(layout.from(), layout.body());
    Span clause = layout.groupClause();
    return query.text(" ").tokens(clause.first(), clause.behind()).build();
  }

  /**
   * Declarations of the columns that {@link #query} gives. Expressions that are computed from now
   * on are complete.
   *
   * @param told what the database says of them
   */
  List<Stored> stored(List<ResultColumn> told) {
    described = List.copyOf(told);
    var stored = new ArrayList<Stored>();
    for (int i = 0; i < columns.size(); i++) {
      stored.add(new Stored(NAME + i + " " + type(described.get(i)), cell(described.get(i))));
    }
    return stored;
  }

  private static String type(ResultColumn column) {
    String sign = (column.flags() & UNSIGNED) != 0 ? " UNSIGNED" : "";
    return switch (column.type()) {
      case 1 -> "TINYINT" + sign;
      case 2 -> "SMALLINT" + sign;
      case 3 -> "INT" + sign;
      case 8 -> "BIGINT" + sign;
      case 9 -> "MEDIUMINT" + sign;
      case DOUBLE -> {
        if (Comparability.isRounded(column)) {
          throw refused("sums of FLOAT");
        }
        yield "DOUBLE";
      }
      case 0, DECIMAL -> {
        long digits = column.length() - (column.decimals() > 0 ? 1 : 0) - (sign.isEmpty() ? 1 : 0);
        yield "DECIMAL(" + Math.clamp(digits, 1, 65) + "," + column.decimals() + ")" + sign;
      }
      case 10 -> "DATE";
      case 11 -> "TIME(" + fraction(column) + ")";
      case 12 -> "DATETIME(" + fraction(column) + ")";
      default -> throw refused("a group's column of a type that is not kept beside others");
    };
  }

  private static int fraction(ResultColumn column) {
    if (column.decimals() > 6) {
      throw refused("a time whose digits are not told");
    }
    return column.decimals();
  }

  private static Cell cell(ResultColumn column) {
    return switch (column.type()) {
      case 10, 11, 12 -> Cell.QUOTED;
      default -> Cell.NUMBER;
    };
  }
}
