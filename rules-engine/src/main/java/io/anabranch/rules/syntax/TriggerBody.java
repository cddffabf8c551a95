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

  private static final Set<String> LIST_ENDS =
      Set.of("WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "INTO", "FOR", "UNION", "SET", "USING");

  /** What a body does with a table. */
  public interface Uses {

    void reads(TableMention table);

    /**
     * @param verb INSERT, REPLACE, UPDATE or DELETE, in upper case
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
          if (startsStatement(i)) {
            TableMention table = written(i);
            written = table.first();
            uses.writes(table, word, statementEnd(i));
          }
        }
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

  private TableMention written(int verb) {
    int at = verb + 1;
    while (List.of("LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "IGNORE", "QUICK", "INTO", "FROM")
        .contains(tokens.isName(at) ? tokens.text(at).toUpperCase(Locale.ROOT) : "")) {
      at++;
    }
    return TableMention.at(source, at);
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
