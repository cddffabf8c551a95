package io.anabranch.rules.planner.mask;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A SELECT that names a table with masked columns, read by its tokens. Such a column may stand for
 * itself in a select list whose rows are shown, or are those of a derived table, or in a {@link
 * MaskedComparison}; nowhere else.
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
          "UNION",
          "INTERSECT",
          "EXCEPT",
          "MINUS",
          "NATURAL",
          "INTO",
          "PROCEDURE",
          "TABLE",
          "WITH",
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

  /** What is open at a token. */
  private final Deque<Block> open = new ArrayDeque<>();

  private boolean hasGrown;

  /** A parenthesis, or the query in it. */
  private static final class Block {

    /** Whether a query in it is shown, or is read by one that is. */
    private final boolean isVisible;

    /** Whether its select list does not matter: behind EXISTS. */
    private final boolean isBoolean;

    /** Upper case; {@code SELECT} in a select list; empty outside of queries. */
    private String clause = "";

    /** Where the current item of the select list begins. */
    private int item;

    Block(boolean isVisible, boolean isBoolean) {
      this.isVisible = isVisible;
      this.isBoolean = isBoolean;
    }
  }

  MaskedQuery(SqlTokens tokens, MaskedNames names, MaskedComparison comparison) {
    this.tokens = tokens;
    this.names = names;
    this.comparison = comparison;
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

  private void read() {
    open.clear();
    open.push(new Block(true, false));
    for (int token = 0; token < tokens.size(); token++) {
      Block block = open.element();
      if (tokens.isPunctuation(token, '(')) {
        open.push(opened(block, token));
      } else if (tokens.isPunctuation(token, ')')) {
        endItem(block, token);
        if (open.size() > 1) {
          open.pop();
        }
      } else if (tokens.isPunctuation(token, ',') && block.clause.equals("SELECT")) {
        endItem(block, token);
        block.item = token + 1;
      } else {
        word(block, token);
      }
    }
    endItem(open.element(), tokens.size());
  }

  private Block opened(Block around, int token) {
    boolean isTable =
        around.isVisible
            && (around.clause.equals("FROM") || isJoined(around))
            && (tokens.isAnyWord(token - 1, "FROM", "JOIN", "LATERAL")
                || tokens.isPunctuation(token - 1, ',')
                || tokens.isPunctuation(token - 1, '('));
    if (around.clause.equals("FROM")
        && tokens.isName(token - 1)
        && (tokens.isPunctuation(token - 2, ')') || tokens.isWord(token - 2, "AS"))) {
      throw refusal("a derived table whose columns are named anew");
    }
    var block = new Block(isTable, tokens.isWord(token - 1, "EXISTS"));
    if (isTable && !tokens.isWord(token + 1, "SELECT")) {
      block.clause = "FROM";
    }
    return block;
  }

  /** Whether parentheses are around joined tables. */
  private static boolean isJoined(Block around) {
    return around.clause.equals("FROM");
  }

  private void word(Block block, int token) {
    if (tokens.kind(token) == TokenKind.WORD && !isQualified(token)) {
      String word = tokens.text(token).toUpperCase(Locale.ROOT);
      if (word.equals("SELECT")) {
        begin(block, token);
        return;
      }
      if (REFUSED.contains(word)) {
        throw refusal(word);
      }
      boolean isInItem =
          block.clause.equals("SELECT") && (ALIASES.contains(word) || isOfSequence(token));
      if (!block.clause.isEmpty() && CLAUSES.contains(word) && !isInItem) {
        endItem(block, token);
        block.clause = word;
      }
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

  /** {@code NEXT VALUE FOR s} is an item. */
  private boolean isOfSequence(int token) {
    return tokens.isWord(token, "FOR") && tokens.isWord(token - 1, "VALUE");
  }

  /** In any number of parentheses; MariaDB takes parameters for positions, too. */
  private boolean isOrdinal(int token) {
    boolean isValue = tokens.slot(token) >= 0 || tokens.isAnyWord(token, "TRUE", "FALSE");
    if (!isValue) {
      return false;
    }
    int first = token;
    Iterator<Block> around = open.iterator();
    Block block = around.next();
    while (tokens.isPunctuation(first - 1, '(') && around.hasNext()) {
      first--;
      block = around.next();
    }
    return (block.clause.equals("ORDER") || block.clause.equals("GROUP"))
        && (tokens.isWord(first - 1, "BY") || tokens.isPunctuation(first - 1, ','));
  }

  private boolean isQualified(int token) {
    return tokens.isPunctuation(token - 1, '.');
  }

  private void begin(Block block, int token) {
    if (!block.clause.isEmpty()) {
      throw refusal("SELECT in this place");
    }
    block.clause = "SELECT";
    block.item = token + 1;
    while (BEFORE_ITEMS.stream().anyMatch(word -> tokens.isWord(block.item, word))) {
      block.item++;
    }
  }

  /** Items are looked at as a whole when they end. */
  private static boolean isInItem(Block block) {
    return block.clause.equals("SELECT");
  }

  private void endItem(Block block, int end) {
    if (!block.clause.equals("SELECT") || block.item >= end) {
      return;
    }
    int last = tokens.lastOfName(block.item);
    boolean isStar = tokens.isOperator(end - 1, "*");
    if (isStar) {
      if (!block.isVisible && !block.isBoolean) {
        throw refusal("* of a query within an expression");
      }
      return;
    }
    String alias = alias(last, end);
    if (alias == null) {
      refuseMentions(block.item, end);
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
    boolean isOperand = !isSaid && !isString && names.has(name);
    return isOperand || !isPlain(name) ? null : name;
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
    int named =
        tokens.find(
            token ->
                token >= from
                    && token < to
                    && tokens.isName(token)
                    && names.has(tokens.name(token)));
    if (named >= 0) {
      throw refusal("column '" + tokens.name(named) + "' within an expression");
    }
  }

  static RefusedException refusal(String what) {
    return ErrorCatalogue.MASKED.refuse(what);
  }

  /** Functions that no server brings along may read whatever they like. */
  static void refuseUnknownFunctions(SqlTokens tokens, int end, StatementKind kind) {
    boolean inserts = kind.inserts();
    for (int token = 0; token + 1 < end; token++) {
      boolean calls = tokens.isName(token) && tokens.isPunctuation(token + 1, '(');
      if (calls && isStoredFunction(tokens, token) && !(inserts && isTarget(tokens, token))) {
        throw refusal("the stored function '" + tokens.name(token) + "'");
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
    return first <= LATEST_TARGET
        && TARGET.stream().anyMatch(word -> tokens.isWord(first - 1, word));
  }
}
