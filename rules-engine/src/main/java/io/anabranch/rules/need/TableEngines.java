package io.anabranch.rules.need;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;

/**
 * Engines that a definition names, for the table or for its partitions: servers take that of a
 * partition for the table's. Tables of those that are in no list are windows to other rows.
 */
public final class TableEngines {

  /** They keep rows in a table of their own, and nowhere else. */
  private static final Set<String> OWN =
      Set.of(
          "INNODB", "MYISAM", "ARIA", "MEMORY", "HEAP", "ARCHIVE", "ROCKSDB", "NDB", "NDBCLUSTER");

  /** A column, or a table, is called so behind them. */
  private static final Set<String> BEFORE_NAME =
      Set.of(
          "TABLE", "EXISTS", "ADD", "COLUMN", "MODIFY", "CHANGE", "AFTER", "DROP", "ALTER", "TO");

  private TableEngines() {}

  /**
   * The word ENGINE of the first that may show other rows, in {@code [from, to)}; -1: there is
   * none.
   *
   * @param tokens without marks of comments
   */
  public static int findOther(SqlTokens tokens, int from, int to) {
    int partitions =
        tokens
            .between(from, to)
            .find(i -> tokens.isWord(i, "PARTITION") && tokens.isWord(i + 1, "BY"));
    return tokens
        .between(from, to)
        .findName(
            i ->
                tokens.isWord(i, "ENGINE")
                    && isOption(tokens, i, partitions)
                    && !keepsOwnRows(named(tokens, i)));
  }

  /** What the option {@code ENGINE} says, quotes of a text included. */
  public static String named(SqlTokens tokens, int option) {
    int value = tokens.isOperator(option + 1, "=") ? option + 2 : option + 1;
    return tokens.isName(value) ? tokens.name(value) : tokens.text(value);
  }

  /**
   * Whether tables of an engine have rows of their own, and show no others.
   *
   * @param engine as it is written, quoted or not
   */
  public static boolean keepsOwnRows(String engine) {
    return OWN.contains(engine.replaceAll("^'|'$", "").toUpperCase(Locale.ROOT));
  }

  /** Whether a variable, of those that tables without an engine are made by, gets another. */
  public static boolean areSetToOther(SqlTokens tokens, int i) {
    boolean isEngine = tokens.text(i).toLowerCase(Locale.ROOT).contains("storage_engine");
    boolean isAssigned = tokens.isOperator(i + 1, "=") || tokens.isOperator(i + 1, ":=");
    return isEngine && !(isAssigned && keepsOwnRows(tokens.text(i + 2)));
  }

  /** The same where only assignments count, and the default is none other. */
  public static boolean areAssignedOther(SqlTokens tokens, int i) {
    boolean isAssigned = tokens.isOperator(i + 1, "=") || tokens.isOperator(i + 1, ":=");
    boolean isVariable = !tokens.text(i).startsWith("@") || tokens.text(i).startsWith("@@");
    return isAssigned && isVariable && !tokens.isWord(i + 2, "DEFAULT") && areSetToOther(tokens, i);
  }

  private static boolean isOption(SqlTokens tokens, int i, int partitions) {
    int value = tokens.isOperator(i + 1, "=") ? i + 2 : i + 1;
    boolean hasValue = tokens.isName(value) || tokens.kind(value) == TokenKind.STRING;
    if (!hasValue) {
      return false;
    }
    if (tokens.depth(i) > 0) {
      return partitions >= 0 && i > partitions && isBehindValue(tokens, i);
    }
    return value == i + 2 || !isColumn(tokens, i);
  }

  /** In the definition of a partition an option is behind the name of it, or another's value. */
  private static boolean isBehindValue(SqlTokens tokens, int i) {
    return tokens.isName(i - 1)
        || tokens.kind(i - 1).isLiteral()
        || tokens.isPunctuation(i - 1, ')');
  }

  private static boolean isColumn(SqlTokens tokens, int i) {
    return BEFORE_NAME.contains(tokens.word(i - 1))
        || tokens.isPunctuation(i - 1, '.')
        || tokens.isWord(i - 2, "CHANGE")
        || (tokens.isWord(i - 2, "COLUMN") && tokens.isWord(i - 3, "CHANGE"));
  }
}
