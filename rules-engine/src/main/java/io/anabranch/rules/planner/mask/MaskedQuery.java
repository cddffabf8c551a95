package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.planner.mask.QueryBlock.Output;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.PlainList;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A query that names a table with masked columns, read by its tokens. Such a column may stand for
 * itself in a select list whose rows are shown, or are those of a derived or a common table, or in
 * a {@link MaskedComparison}; nowhere else.
 *
 * <p>Used once, by one thread.
 */
final class MaskedQuery {

  /** Words that end a select list, or a clause behind it. */
  private static final Set<String> CLAUSES =
      Set.of(
          "FROM",
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "WINDOW",
          "FOR",
          "LOCK",
          "INTO",
          "PROCEDURE",
          "QUALIFY",
          "OFFSET",
          "FETCH",
          "ROWS");

  /** Clauses whose words some server takes for an alias in a select list. */
  private static final Set<String> ALIASES = Set.of("WINDOW", "QUALIFY", "OFFSET", "FETCH", "ROWS");

  private static final Set<String> REFUSED =
      Set.of(
          "INTERSECT",
          "EXCEPT",
          "MINUS",
          "NATURAL",
          "INTO",
          "PROCEDURE",
          "TABLE",
          "RECURSIVE",
          "SQL_CALC_FOUND_ROWS");

  private static final Set<String> BEFORE_ITEMS =
      Set.of(
          "ALL",
          "DISTINCT",
          "DISTINCTROW",
          "HIGH_PRIORITY",
          "STRAIGHT_JOIN",
          "SQL_SMALL_RESULT",
          "SQL_BIG_RESULT",
          "SQL_BUFFER_RESULT",
          "SQL_NO_CACHE",
          "SQL_CACHE");

  /** What stands in front of a table that is written. */
  private static final List<String> TARGET =
      List.of("INTO", "INSERT", "REPLACE", "IGNORE", "DELAYED", "LOW_PRIORITY", "HIGH_PRIORITY");

  private static final int LATEST_TARGET = 4;

  /** What servers leave as it is. */
  private static final Pattern ALIAS =
      Pattern.compile("[\\p{L}\\p{N}_$](?:[\\p{L}\\p{N}_$ .:#%()/-]{0,62}[\\p{L}\\p{N}_$)])?");

  private final SqlTokens tokens;
  private final MaskedNames names;
  private final MaskedComparison comparison;
  private final MaskedTables tables;

  /** What is open at a token. */
  private final Deque<QueryBlock> open = new ArrayDeque<>();

  private boolean hasGrown;

  private List<Output> outputs = List.of();

  /**
   * @param tables with masked columns, and views of them
   */
  MaskedQuery(
      SqlTokens tokens, MaskedNames names, MaskedComparison comparison, MaskedTables tables) {
    this.tokens = tokens;
    this.names = names;
    this.comparison = comparison;
    this.tables = tables;
  }

  /**
   * @throws RefusedException if a masked value might decide what is shown
   */
  void check() {
    MaskedText.refusePartitions(tokens);
    do {
      hasGrown = false;
      read();
    } while (hasGrown);
  }

  /** The columns of the answer, once it is checked. */
  List<Output> outputs() {
    return outputs;
  }

  private void read() {
    open.clear();
    open.push(new QueryBlock(true, false, false));
    tokens.all().walk(token -> read(open.element(), token));
    QueryBlock whole = open.element();
    endItem(whole, tokens.size());
    outputs = ended(whole, null);
  }

  /** Returns the next token. */
  private int read(QueryBlock block, int token) {
    if (tokens.isPunctuation(token, '(')) {
      if (block.isIn("WITH") && !tokens.isWord(token - 1, "AS")) {
        block.list = list(token);
        return tokens.closing(token) + 1;
      }
      open.push(opened(block, token));
    } else if (tokens.isPunctuation(token, ')')) {
      return closed(block, token);
    } else if (tokens.isPunctuation(token, ',') && block.isIn("SELECT")) {
      endItem(block, token);
      block.item = token + 1;
    } else {
      word(block, token);
    }
    return token + 1;
  }

  private QueryBlock opened(QueryBlock around, int token) {
    if (around.isIn("WITH")) {
      var common = new QueryBlock(around.isVisible, false, false);
      common.list = around.list;
      around.list = null;
      return common;
    }
    boolean isFirst = around.clause.isEmpty() && !around.isQuery() && isFirst(token);
    if ((isFirst || around.isIn("UNION")) && beginsQuery(token + 1)) {
      return new QueryBlock(around.isVisible, around.isBoolean, true);
    }
    boolean isTable =
        around.isVisible
            && around.isIn("FROM")
            && (tokens.isAnyWord(token - 1, "FROM", "JOIN", "LATERAL")
                || tokens.isPunctuation(token - 1, ',')
                || tokens.isPunctuation(token - 1, '('));
    if (around.isIn("FROM")
        && tokens.isName(token - 1)
        && (tokens.isPunctuation(token - 2, ')') || tokens.isWord(token - 2, "AS"))) {
      throw refusal("a table whose columns are named anew");
    }
    var block = new QueryBlock(isTable, tokens.isWord(token - 1, "EXISTS"), false);
    if (isTable && !tokens.isAnyWord(token + 1, "SELECT", "WITH")) {
      block.clause = "FROM";
    }
    return block;
  }

  private boolean beginsQuery(int token) {
    return tokens.isAnyWord(token, "SELECT", "WITH") || tokens.isPunctuation(token, '(');
  }

  /** Whether the token is the first one of its parenthesis, or of the statement. */
  private boolean isFirst(int token) {
    return token == 0 || tokens.isPunctuation(token - 1, '(');
  }

  private int closed(QueryBlock block, int token) {
    endItem(block, token);
    if (open.size() == 1) {
      return token + 1;
    }
    open.pop();
    QueryBlock around = open.element();
    if (block.isLeg) {
      around.leg(ended(block, null));
      return token + 1;
    }
    if (!block.isVisible || !around.isIn("FROM")) {
      ended(block, block.list);
      return token + 1;
    }
    if (!block.isQuery()) {
      around.join(block);
      return token + 1;
    }
    int alias = tokens.isWord(token + 1, "AS") ? token + 2 : token + 1;
    around.source(tokens.name(alias), "");
    boolean isNamedAnew = tokens.isName(alias) && tokens.isPunctuation(alias + 1, '(');
    ended(block, isNamedAnew ? list(alias + 1) : null);
    return isNamedAnew ? tokens.closing(alias + 1) + 1 : token + 1;
  }

  /** The names of a list in parentheses. */
  private List<String> list(int parenthesis) {
    TokenRange list = tokens.between(parenthesis + 1, tokens.closing(parenthesis));
    if (!PlainList.is(list, at -> tokens.isName(at) && isPlain(tokens.name(at)))) {
      throw refusal("a list of columns that is not plain");
    }
    return list.names().stream().map(tokens::name).toList();
  }

  /**
   * A query is over: in each place all of its SELECTs have the same column.
   *
   * @param list what its columns are called instead
   */
  private List<Output> ended(QueryBlock block, @Nullable List<String> list) {
    block.endLeg();
    var union = new MaskedUnion(names, tables, block);
    hasGrown |= union.combine();
    hasGrown |= list != null && union.rename(list);
    return list == null ? union.columns() : union.columns(list);
  }

  private void word(QueryBlock block, int token) {
    if (tokens.kind(token) == TokenKind.WORD && !isQualified(token)) {
      String word = tokens.word(token);
      if (word.equals("SELECT")) {
        begin(block, token);
        return;
      }
      boolean isValues = word.equals("VALUES") && block.mayBegin();
      if (REFUSED.contains(word) || isValues) {
        throw refusal(word);
      }
      if (word.equals("UNION")) {
        union(block, token);
        return;
      }
      if (word.equals("WITH") && !tokens.isWord(token + 1, "ROLLUP")) {
        if (!block.clause.isEmpty() || !isFirst(token)) {
          throw refusal("WITH in this place");
        }
        block.clause = word;
        return;
      }
      boolean isInItem = block.isIn("SELECT") && (ALIASES.contains(word) || isOfSequence(token));
      if (!block.clause.isEmpty() && CLAUSES.contains(word) && !isInItem) {
        endItem(block, token);
        block.clause = word;
      }
    }
    if (block.isIn("FROM") && block.isVisible) {
      source(block, token);
    }
    if (block.isIn("WITH") && tokens.isName(token) && tables.isMasked(tokens.name(token))) {
      throw refusal("a common table of the name '" + tokens.name(token) + "'");
    }
    if (isOrdinal(token)) {
      throw refusal("ORDER or GROUP BY the number of a column");
    }
    if (tokens.isName(token)
        && names.has(tokens.name(token))
        && !isInItem(block)
        && !comparison.isAt(token)) {
      throw refusal("column '" + tokens.name(token) + "' in this place");
    }
  }

  /** A table in FROM, and what it is called there. */
  private void source(QueryBlock block, int token) {
    boolean begins =
        tokens.isAnyWord(token - 1, "FROM", "JOIN", "STRAIGHT_JOIN")
            || tokens.isPunctuation(token - 1, ',')
            || tokens.isPunctuation(token - 1, '(');
    if (!begins || !tokens.isName(token) || tokens.isWord(token, "LATERAL")) {
      return;
    }
    int last = tokens.lastOfName(token);
    int behind = tokens.isWord(last + 1, "AS") ? last + 2 : last + 1;
    String alias = tokens.isName(behind) && !isBehindTable(behind) ? tokens.name(behind) : "";
    String name = tokens.name(last);
    boolean isOwn = last == token || (last == token + 2 && tables.isOwnSchema(tokens.name(token)));
    boolean isPlain = isOwn && !tokens.isPunctuation(last + 1, '(');
    block.source(alias.isEmpty() ? name : alias, isPlain ? name : "");
  }

  private boolean isBehindTable(int token) {
    return CLAUSES.contains(tokens.word(token)) || ClauseEnds.endsTable(tokens, token);
  }

  /** {@code NEXT VALUE FOR s} is an item. */
  private boolean isOfSequence(int token) {
    return tokens.isWord(token, "FOR") && tokens.isWord(token - 1, "VALUE");
  }

  /** In any number of parentheses; MariaDB takes parameters for positions, too. */
  private boolean isOrdinal(int token) {
    int before = tokens.beforePosition(token);
    return before >= 0
        && open.stream()
            .skip((long) tokens.depth(token) - tokens.depth(before))
            .limit(1)
            .anyMatch(block -> block.isIn("ORDER") || block.isIn("GROUP"));
  }

  private boolean isQualified(int token) {
    return tokens.isPunctuation(token - 1, '.');
  }

  private void union(QueryBlock block, int token) {
    endItem(block, token);
    block.endLeg();
    if (block.legs().isEmpty()) {
      throw refusal("UNION in this place");
    }
    block.clause = "UNION";
  }

  private void begin(QueryBlock block, int token) {
    if (!block.mayBegin()) {
      throw refusal("SELECT in this place");
    }
    block.begin(tokens.from(token + 1).skip(each -> BEFORE_ITEMS.contains(tokens.word(each))));
  }

  /** Items are looked at as a whole when they end. */
  private static boolean isInItem(QueryBlock block) {
    return block.isIn("SELECT");
  }

  private void endItem(QueryBlock block, int end) {
    if (!block.isIn("SELECT") || block.item >= end) {
      return;
    }
    int last = tokens.lastOfName(block.item);
    boolean isStar = tokens.isOperator(end - 1, "*");
    if (isStar) {
      if (!block.isVisible && !block.isBoolean) {
        throw refusal("* of a query within an expression");
      }
      block.add(Output.STAR);
      return;
    }
    String alias = alias(last, end);
    block.add(output(block.item, last, end, alias));
    if (alias == null) {
      refuseMentions(block.item, tokens.isWord(end - 2, "AS") ? end - 2 : end);
      return;
    }
    Masker masker = names.of(tokens.name(last));
    if (masker == null) {
      return;
    }
    if (!block.isVisible && !block.isBoolean) {
      throw refusal("column '" + tokens.name(last) + "' of a query within an expression");
    }
    hasGrown |= !alias.isEmpty() && names.alias(masker, alias);
  }

  private Output output(int first, int last, int end, @Nullable String alias) {
    String name = called(first, last, end, alias);
    boolean isText =
        (tokens.kind(first) == TokenKind.STRING && tokens.slot(first) >= 0)
            || tokens.isWord(first, "NULL");
    boolean isAlone = end == first + 1 || (end == first + 3 && tokens.isWord(first + 1, "AS"));
    return new Output(
        name,
        alias == null ? null : tokens.name(last),
        last > first ? tokens.name(last - 2) : "",
        "",
        false,
        isText && isAlone);
  }

  /**
   * What servers call an item for sure: {@code NOT x} is no column with an alias.
   *
   * @param alias as {@link #alias} tells it
   */
  private @Nullable String called(int first, int last, int end, @Nullable String alias) {
    boolean isSaid = end - 2 > first && tokens.isWord(end - 2, "AS");
    if (alias == null) {
      boolean isName = isSaid && tokens.isName(end - 1) && isPlain(tokens.name(end - 1));
      return isName ? tokens.name(end - 1) : null;
    }
    if (alias.isEmpty()) {
      return isPlain(tokens.name(last)) ? tokens.name(last) : null;
    }
    boolean isColumn =
        last > first || tokens.kind(first) == TokenKind.QUOTED || names.has(tokens.name(last));
    return isSaid || isColumn ? alias : null;
  }

  /**
   * What an item calls its column; empty: it leaves the column its name; null: the item is more
   * than a column.
   */
  private @Nullable String alias(int column, int end) {
    if (!tokens.isName(column)) {
      return null;
    }
    boolean isSaid = tokens.isWord(column + 1, "AS");
    int next = isSaid ? column + 2 : column + 1;
    if (next == end) {
      return isSaid ? null : "";
    }
    if (next + 1 != end) {
      return null;
    }
    String text = tokens.text(next);
    boolean isString = tokens.kind(next) == TokenKind.STRING && text.length() > 2;
    if (!tokens.isName(next) && !isString) {
      return null;
    }
    String name = isString ? text.substring(1, text.length() - 1) : tokens.name(next);
    // BINARY phone is no column called phone
    boolean isOperand = !isSaid && !isString && names.has(name) && !isMaskedColumn(column);
    return isOperand || !isPlain(name) ? null : name;
  }

  /** Whether this is one for sure, so that a name behind it is its alias, and no operand. */
  private boolean isMaskedColumn(int token) {
    boolean isName =
        tokens.kind(token) == TokenKind.QUOTED
            || tokens.isPunctuation(token - 1, '.')
            || !ReservedWords.mayHave(tokens.text(token));
    return isName && names.has(tokens.name(token));
  }

  /** Whether servers leave it as it is: they know no letters beyond the first plane. */
  private static boolean isPlain(String name) {
    return ALIAS.matcher(name).matches() && name.chars().noneMatch(MaskedQuery::isSurrogate);
  }

  private static boolean isSurrogate(int letter) {
    return Character.isSurrogate((char) letter);
  }

  /** Parentheses have been looked at by themselves. */
  private void refuseMentions(int from, int to) {
    int named = tokens.between(from, to).findName(token -> names.has(tokens.name(token)));
    if (named >= 0) {
      throw refusal("column '" + tokens.name(named) + "' within an expression");
    }
  }

  static RefusedException refusal(String what) {
    return ErrorCatalogue.MASKED.refuse(what);
  }

  /** Functions that no server brings along may read whatever they like. */
  static void refuseUnknownFunctions(SqlTokens tokens, int from, int end, StatementKind kind) {
    for (int call : tokens.between(from, end - 1).calls()) {
      boolean isOther =
          SelectSpans.namesColumns(tokens, call) || (kind.inserts() && isTarget(tokens, call));
      if (!isOther && isStoredFunction(tokens, call)) {
        throw refusal("the stored function '" + tokens.name(call) + "'");
      }
    }
  }

  static boolean isStoredFunction(SqlTokens tokens, int token) {
    return tokens.isPunctuation(token - 1, '.')
        || tokens.kind(token) != TokenKind.WORD
        || !SqlFunctions.include(tokens.text(token));
  }

  /** Whether the columns of a table that is written stand behind its name. */
  private static boolean isTarget(SqlTokens tokens, int token) {
    int first = tokens.firstOfName(token);
    return first <= LATEST_TARGET && TARGET.contains(tokens.word(first - 1));
  }
}
