package io.anabranch.rules.syntax.query;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.function.SqlFunctions;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.TableMention;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks through the body of a trigger, or of another program, for what it reads and writes: the
 * tables, procedures and functions that it names. A database runs it beside one row, where other
 * rows may not be. Which names are tables' that are read says {@link TablePlaces}. Used once.
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

  /** What may stand between a verb and the tables that it looks at. */
  private static final Set<String> BEFORE_LIST = Set.of("LOCAL", "NO_WRITE_TO_BINLOG");

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
  private final int from;
  private final int body;

  public TriggerBody(SourceText source, int body) {
    this(source, body, body);
  }

  /**
   * @param from first token that may be of the body
   * @param body first token of its first statement
   */
  public TriggerBody(SourceText source, int from, int body) {
    this.source = source;
    this.tokens = source.tokens();
    this.from = Math.min(from, body);
    this.body = body;
  }

  /**
   * Tells of each table once for each time that it is named: first of those that statements about
   * tables name.
   */
  public void visit(Uses uses) {
    Set<Integer> told = new HashSet<>();
    changed(told, uses);
    SqlTokens plain = tokens.withoutMarks();
    var commonTables = new CommonTables(tokens, () -> false);
    var places =
        new TablePlaces(
            plain,
            new TablePlaces.Reader() {
              @Override
              public int table(int place, boolean isRead) {
                int token = tokens.at(plain.start(place));
                if (tokens.isName(token)) {
                  boolean isOther =
                      told.contains(token)
                          || isCursor(token)
                          || isOwn(token)
                          || (!tokens.isPunctuation(token + 1, '.')
                              && commonTables.isSurelyOne(token));
                  if (!isOther) {
                    uses.reads(TableMention.at(source, token));
                  }
                } else if (!isText(token)) {
                  throw unclear();
                }
                return plain.isPunctuation(place + 1, '.') ? place + 3 : place + 1;
              }

              @Override
              public int other(int place) {
                return place + 1;
              }

              @Override
              public void doubt(String what) {
                // of statements in one another, whose own tables are told besides
              }
            });
    int first = plain.all().find(place -> plain.start(place) >= tokens.start(from));
    places.expressions(first < 0 ? plain.size() : first, plain.size());
  }

  /** FETCH NEXT FROM c. */
  private boolean isCursor(int token) {
    return tokens.isWord(token - 1, "FROM")
        && (tokens.isWord(token - 2, "FETCH") || tokens.isWord(token - 3, "FETCH"));
  }

  /** PREPARE s FROM 'SELECT 1'. */
  private boolean isText(int token) {
    return tokens.kind(token).isLiteral() || tokens.kind(token) == TokenKind.VARIABLE;
  }

  /**
   * CREATE TABLE t, which nobody has read yet, and DROP TEMPORARY TABLE t, which is the session's
   * own; other verbs of a TABLE tell of theirs.
   */
  private boolean isOwn(int token) {
    int table = token - 1;
    while (table > from && tokens.isAnyWord(table, "IF", "NOT", "EXISTS")) {
      table--;
    }
    int verb = table - 1;
    while (verb > from && (tokens.isWord(verb, "TEMPORARY") || isBeforeObject(verb))) {
      verb--;
    }
    boolean isDropped = tokens.isWord(verb, "DROP") && tokens.isWord(table - 1, "TEMPORARY");
    boolean isReplacing = tokens.isWord(verb, "REPLACE") && tokens.isWord(verb - 1, "OR");
    return tokens.isWord(table, "TABLE")
        && (isReplacing || isDropped || tokens.isWord(verb, "CREATE"));
  }

  /**
   * Tells of what may change, and of what statements about tables look at.
   *
   * @param told where it is named
   */
  private void changed(Set<Integer> told, Uses uses) {
    var noted =
        new Uses() {
          @Override
          public void reads(TableMention table) {
            told.add(table.first());
            uses.reads(table);
          }

          @Override
          public void writes(TableMention table, String verb, int behind) {
            told.add(table.first());
            uses.writes(table, verb, behind);
          }
        };
    for (int i = from; i < tokens.size(); i++) {
      if (tokens.kind(i) != TokenKind.WORD || tokens.isPunctuation(i - 1, '.')) {
        continue;
      }
      switch (tokens.word(i)) {
        case "INSERT", "REPLACE", "UPDATE", "DELETE" -> {
          if (isVerb(i)) {
            written(i, noted);
            targets(i).forEach(told::add);
          }
        }
        case "TRUNCATE" -> {
          boolean isFunction = tokens.isPunctuation(i + 1, '(');
          if ((startsStatement(i) && !isFunction) || tokens.isWord(i + 1, "TABLE")) {
            written(i, noted);
          }
        }
        case "CREATE", "ALTER", "DROP", "RENAME" -> defined(i, noted);
        case "ANALYZE", "CHECK", "CHECKSUM", "OPTIMIZE", "REPAIR", "FLUSH" -> looked(i, noted);
        default -> {}
      }
    }
  }

  /** Names of DELETE FROM t, u USING …: tables, or aliases, of the list behind it. */
  private List<Integer> targets(int verb) {
    int first = tokens.from(verb + 1).skip(token -> MODIFIERS.contains(tokens.word(token)));
    if (!tokens.isWord(verb, "DELETE") || !tokens.isWord(first, "FROM")) {
      return List.of();
    }
    int end = statementEnd(verb);
    int using = clause(first, end, "USING");
    return using == end ? List.of() : tokens.between(first + 1, using).names();
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

  /**
   * One of the columns of NEW that the body gives values; -1: none.
   *
   * @param columns in lower case
   */
  public int assigned(Set<String> columns) {
    Integer found = tokens.from(body).search(token -> assignedKey(token, columns));
    return found == null ? -1 : found;
  }

  /** One of the columns to which the token, or the word INTO, gives a value; null: to none. */
  private @Nullable Integer assignedKey(int token, Set<String> keys) {
    if (tokens.isWord(token, "INTO")) {
      return filledKey(token + 1, keys);
    }
    boolean isFirst =
        tokens.isWord(token - 1, "SET")
            || (tokens.isPunctuation(token - 1, ',') && tokens.depth(token) == 0);
    boolean isAssigned =
        isFirst
            && isOfNew(token, keys)
            && (tokens.isOperator(token + 3, "=") || tokens.isOperator(token + 3, ":="));
    return isAssigned ? token + 2 : null;
  }

  /** {@code INTO @a, b, NEW.c}. */
  private @Nullable Integer filledKey(int first, Set<String> keys) {
    int target = first;
    while (tokens.isName(target) || tokens.kind(target) == TokenKind.VARIABLE) {
      if (isOfNew(target, keys)) {
        return target + 2;
      }
      int behind = tokens.lastOfName(target) + 1;
      if (!tokens.isPunctuation(behind, ',')) {
        return null;
      }
      target = behind + 1;
    }
    return null;
  }

  /** NEW.c, in whatever quotes. */
  private boolean isOfNew(int token, Set<String> keys) {
    return tokens.isPunctuation(token + 1, '.')
        && tokens.lowerName(token).equals("new")
        && keys.contains(tokens.lowerName(token + 2));
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
    boolean isFunction =
        tokens.isAnyWord(token, "INSERT", "REPLACE") && tokens.isPunctuation(token + 1, '(');
    return !isFunction
        && !tokens.isPunctuation(token - 1, ',')
        && !tokens.isWord(token + 1, "ON")
        && !BEFORE_NO_VERB.contains(tokens.word(token - 1));
  }

  /** Tells of the tables that INSERT, UPDATE and the like may change. */
  private void written(int verb, Uses uses) {
    int end = statementEnd(verb);
    int first = tokens.from(verb + 1).skip(token -> MODIFIERS.contains(tokens.word(token)));
    if (tokens.isWord(verb, "UPDATE")) {
      written(verb, first, clause(first, end, "SET"), uses);
      return;
    }
    if (!tokens.isWord(verb, "DELETE")) {
      written(verb, first, first + 1, uses);
      return;
    }
    int from = clause(first, end, "FROM");
    int using = from == first ? clause(from, end, "USING") : end;
    if (from == first && using == end) {
      written(verb, from + 1, from + 2, uses);
      return;
    }
    int tables = using < end ? using + 1 : from + 1;
    written(verb, tables, clause(tables, end, "WHERE", "ORDER", "LIMIT"), uses);
  }

  private void written(int verb, int from, int behind, Uses uses) {
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
        throw unclear();
      }
    }
  }

  private static RuntimeException unclear() {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "this list of tables in a stored program", "write them without parentheses or braces");
  }

  /** Tells of tables that are defined otherwise, and of those of indexes. */
  private void defined(int verb, Uses uses) {
    int object = tokens.from(verb + 1).skip(this::isBeforeObject);
    if (tokens.isWord(object, "INDEX")) {
      int on = clause(object, statementEnd(verb), "ON");
      written(verb, on + 1, on + 2, uses);
      return;
    }
    if (!tokens.isAnyWord(object, "TABLE", "TABLES") || tokens.isWord(verb, "CREATE")) {
      return;
    }
    int first = TableMention.behindCondition(tokens, object + 1);
    int behind = tokens.isWord(verb, "ALTER") ? first + 1 : statementEnd(verb);
    written(verb, first, behind, uses);
  }

  /** Tells of the list of tables that a verb of maintenance takes. */
  private void looked(int verb, Uses uses) {
    int object = tokens.from(verb + 1).skip(token -> BEFORE_LIST.contains(tokens.word(token)));
    int table = tokens.isAnyWord(object, "TABLE", "TABLES") ? object + 1 : tokens.size();
    while (tokens.isName(table) && !tokens.isWord(table, "WITH")) {
      var mention = TableMention.at(source, table);
      uses.reads(mention);
      table = tokens.isPunctuation(mention.behind(), ',') ? mention.behind() + 1 : tokens.size();
    }
  }

  private boolean isBeforeObject(int token) {
    return BEFORE_OBJECT.contains(tokens.word(token));
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
  private int statementEnd(int from) {
    int found = tokens.from(from).find(i -> tokens.isPunctuation(i, ';'));
    return found < 0 ? tokens.size() : found;
  }
}
