package io.anabranch.rules.syntax;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Looks through a trigger's body for what it reads and writes: the tables, procedures and functions
 * that it names. A database runs it beside one row, where other rows may not be. Used once.
 */
public final class TriggerBody {

  /** What may stand in front of a parenthesis in a trigger alone. */
  private static final Set<String> OF_BLOCKS = Set.of("NEW", "OLD", "INTO");

  private static final Set<String> STARTS = Set.of("BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT");

  private static final Set<String> MODIFIERS =
      Set.of("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "IGNORE", "QUICK", "INTO", "TABLE");

  /** What may stand between a verb and what it defines. */
  private static final Set<String> BEFORE_OBJECT =
      Set.of("ONLINE", "OFFLINE", "IGNORE", "UNIQUE", "FULLTEXT", "SPATIAL");

  /** What stands in front of UPDATE and the like where it begins no statement. */
  private static final Set<String> BEFORE_NO_VERB = Set.of("FOR", "KEY", "ON", "OR", "GRANT");

  private static final Set<String> LIST_ENDS =
      Set.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "INTO", "FOR", "UNION", "SET", "USING");

  /** What a body does with a table. */
  public interface Uses {

    void reads(TableMention table);

    /**
     * All tables of a statement for several, whichever of them it changes.
     *
     * @param verb INSERT, REPLACE, UPDATE, DELETE, TRUNCATE, or CREATE, ALTER, DROP, RENAME of a
     *     table or its index, in upper case
     * @param behind the statement
     */
    void writes(TableMention table, String verb, int behind);
  }

  private final SourceText source;
  private final SqlTokens tokens;
  private final int body;

  public TriggerBody(SourceText source, int body) {
    this.source = source;
    this.tokens = source.tokens();
    this.body = body;
  }

  /** Tells of each table once for each time that it is named. */
  public void visit(Uses uses) {
    int written = -1;
    for (int i = body; i < tokens.size(); i++) {
      if (tokens.kind(i) != TokenKind.WORD || tokens.isPunctuation(i - 1, '.')) {
        continue;
      }
      String word = tokens.text(i).toUpperCase(Locale.ROOT);
      switch (word) {
        case "INSERT", "REPLACE", "UPDATE", "DELETE" -> {
          if (isVerb(i)) {
            written = written(i, uses);
          }
        }
        case "TRUNCATE" -> {
          boolean isFunction = tokens.isPunctuation(i + 1, '(');
          if ((startsStatement(i) && !isFunction) || tokens.isWord(i + 1, "TABLE")) {
            written = written(i, uses);
          }
        }
        case "CREATE", "ALTER", "DROP", "RENAME" -> written = Math.max(written, defined(i, uses));
        case "FROM", "JOIN" -> {
          if (isOfQuery(i) && written != i + 1) {
            tables(i + 1, uses);
          }
        }
        default -> {}
      }
    }
  }

  /**
   * What may do anything: procedures, stored functions, in the order of the text.
   *
   * @return as error messages name it
   */
  public List<String> calls() {
    var calls = new ArrayList<String>();
    for (int i = body; i < tokens.size(); i++) {
      boolean isName = tokens.isName(i) && !tokens.isPunctuation(i - 1, '.');
      if (tokens.isWord(i, "CALL") && startsStatement(i)) {
        calls.add("CALL " + tokens.text(i + 1));
      } else if (isName && tokens.isPunctuation(i + 1, '(') && isFunction(i)) {
        calls.add(tokens.text(i) + "()");
      }
    }
    return calls;
  }

  /** The first user variable that the body sets; empty: none. */
  public String setVariable() {
    int found =
        tokens
            .from(body)
            .find(
                i ->
                    tokens.kind(i) == TokenKind.VARIABLE
                        && !tokens.text(i).startsWith("@@")
                        && isSet(i));
    return found < 0 ? "" : tokens.text(found);
  }

  /** SET a = 1, @b = 2; SELECT … INTO a, @b; @b := 2; GET DIAGNOSTICS @b = ROW_COUNT. */
  private boolean isSet(int variable) {
    if (tokens.isOperator(variable + 1, ":=")) {
      return true;
    }
    for (int i = variable - 1; i >= body && !tokens.isPunctuation(i, ';'); i--) {
      if (tokens.depth(i) == tokens.depth(variable)) {
        boolean assigns =
            (tokens.isWord(i, "SET") || tokens.isWord(i, "GET")) && startsStatement(i);
        boolean isTarget =
            i == variable - 1 || tokens.isPunctuation(variable - 1, ',') || tokens.isWord(i, "GET");
        if (assigns) {
          return isTarget && tokens.isOperator(variable + 1, "=");
        }
        if (tokens.isWord(i, "INTO")) {
          return isTarget;
        }
        if (startsStatement(i)) {
          return false;
        }
      }
    }
    return false;
  }

  private boolean isFunction(int token) {
    String word = tokens.name(token).toUpperCase(Locale.ROOT);
    boolean ofTable = tokens.isWord(token - 1, "INTO") || tokens.isWord(token - 1, "REPLACE");
    boolean listed = SqlFunctions.include(word) || OF_BLOCKS.contains(word);
    return !ofTable && !listed;
  }

  private boolean startsStatement(int token) {
    return token == body
        || tokens.isPunctuation(token - 1, ';')
        || STARTS.contains(tokens.word(token - 1));
  }

  /** Behind WITH, or what a handler is for; {@code REPLACE(a, b, c)} is a function. */
  private boolean isVerb(int token) {
    return !tokens.isPunctuation(token + 1, '(')
        && !tokens.isPunctuation(token - 1, ',')
        && !tokens.isWord(token + 1, "ON")
        && !BEFORE_NO_VERB.contains(tokens.word(token - 1));
  }

  /**
   * Tells of the tables that INSERT, UPDATE and the like may change.
   *
   * @return the first token of the first of them
   */
  private int written(int verb, Uses uses) {
    int end = statementEnd(verb);
    int first = tokens.from(verb + 1).skip(token -> MODIFIERS.contains(tokens.word(token)));
    if (tokens.isWord(verb, "UPDATE")) {
      return written(verb, first, clause(first, end, "SET"), uses);
    }
    if (!tokens.isWord(verb, "DELETE")) {
      return written(verb, first, first + 1, uses);
    }
    int from = clause(first, end, "FROM");
    int using = from == first ? clause(from, end, "USING") : end;
    if (from == first && using == end) {
      return written(verb, from + 1, from + 2, uses);
    }
    int tables = using < end ? using + 1 : from + 1;
    return written(verb, tables, clause(tables, end, "WHERE", "ORDER", "LIMIT"), uses);
  }

  private int written(int verb, int from, int behind, Uses uses) {
    String word = tokens.word(verb);
    int end = statementEnd(verb);
    for (int i = from; i < behind; i++) {
      boolean isTable =
          i == from
              || (tokens.depth(i) == tokens.depth(verb)
                  && (tokens.isPunctuation(i - 1, ',')
                      || tokens.isAnyWord(i - 1, "JOIN", "STRAIGHT_JOIN", "TO")));
      if (isTable && tokens.isName(i)) {
        uses.writes(TableMention.at(source, i), word, end);
      } else if (isTable && !tokens.isWord(i + 1, "SELECT")) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "this list of tables in a stored program", "write them without parentheses");
      }
    }
    return from;
  }

  /**
   * Tells of tables that are defined otherwise, and of those of indexes.
   *
   * @return the first token of the first of them; -1: there is none
   */
  private int defined(int verb, Uses uses) {
    int object = tokens.from(verb + 1).skip(i -> BEFORE_OBJECT.contains(tokens.word(i)));
    if (tokens.isWord(object, "INDEX")) {
      int on = clause(object, statementEnd(verb), "ON");
      return written(verb, on + 1, on + 2, uses);
    }
    if (!tokens.isAnyWord(object, "TABLE", "TABLES") || tokens.isWord(verb, "CREATE")) {
      return -1;
    }
    int first = TableMention.behindCondition(tokens, object + 1);
    int behind = tokens.isWord(verb, "ALTER") ? first + 1 : statementEnd(verb);
    return written(verb, first, behind, uses);
  }

  /** Where one of the words stands outside of inner parentheses; {@code end}: nowhere. */
  private int clause(int from, int end, String... words) {
    int found =
        tokens
            .between(from, end)
            .find(
                token ->
                    tokens.isAnyWord(token, words) && tokens.depth(token) == tokens.depth(from));
    return found < 0 ? end : found;
  }

  /** The semicolon behind a statement, or the end of the text. */
  int statementEnd(int from) {
    int found = tokens.from(from).find(i -> tokens.isPunctuation(i, ';'));
    return found < 0 ? tokens.size() : found;
  }

  /** Functions have FROM, too: EXTRACT(DAY FROM x). */
  private boolean isOfQuery(int from) {
    for (int i = from - 1; i >= body && !tokens.isPunctuation(i, ';'); i--) {
      boolean query = tokens.isWord(i, "SELECT") || tokens.isWord(i, "DELETE");
      if (tokens.depth(i) == tokens.depth(from)
          && (query || (tokens.isWord(i, "UPDATE") && startsStatement(i)))) {
        return true;
      }
    }
    return false;
  }

  private void tables(int from, Uses uses) {
    int at = from;
    while (at < tokens.size() && tokens.isName(at)) {
      TableMention table = TableMention.at(source, at);
      uses.reads(table);
      at = table.behind();
      while (at < tokens.size()
          && tokens.isName(at)
          && !LIST_ENDS.contains(tokens.word(at))
          && !tokens.isPunctuation(at, ',')) {
        at++;
      }
      if (!tokens.isPunctuation(at, ',') || tokens.depth(at) != tokens.depth(from)) {
        return;
      }
      at++;
    }
    if (at < tokens.size() && at > from) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this list of tables in a trigger", "write JOIN instead of commas");
    }
  }
}
