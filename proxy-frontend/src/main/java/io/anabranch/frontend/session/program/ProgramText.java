package io.anabranch.frontend.session.program;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads in the text of a stored program what it may leave in the connection that runs it. Doubtful
 * texts are taken for those that leave something.
 *
 * @see <a href="https://dev.mysql.com/doc/refman/8.4/en/sql-compound-statements.html">Statements of
 *     stored programs</a>
 */
final class ProgramText {

  private static final Pattern LOCK =
      Pattern.compile("(?:get|release)_(?:all_)?locks?", Pattern.CASE_INSENSITIVE);

  private static final Pattern INSERT_ID =
      Pattern.compile("last_insert_id|@@.*identity", Pattern.CASE_INSENSITIVE);

  private static final Pattern CALL =
      Pattern.compile("get_lock`?\\s*\\(", Pattern.CASE_INSENSITIVE);

  /** A call whose lock has a name that can be written in a question as it stands. */
  private static final Pattern NAMED_CALL =
      Pattern.compile(
          "get_lock`?\\s*\\(\\s*(?:_[a-z0-9]+\\s*)?'([^'\\\\\\p{Cntrl}\\P{ASCII}]*)'\\s*,",
          Pattern.CASE_INSENSITIVE);

  /** What a statement of a program may follow. */
  private static final Set<String> BOUNDARIES =
      Set.of("BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT");

  /** Statements whose SET is about columns or conditions. */
  private static final Set<String> OTHER_SETS =
      Set.of("UPDATE", "INSERT", "REPLACE", "SIGNAL", "RESIGNAL", "CHARACTER", "LOAD");

  /** Those that assign the variables that they name. */
  private static final Set<String> ASSIGNING = Set.of("CALL", "DIAGNOSTICS");

  private static final String HEAD = "CREATE PROCEDURE p() ";

  private final SqlTokens tokens;
  private final Set<String> declared = new HashSet<>();

  private ProgramText(SqlTokens tokens) {
    this.tokens = tokens;
    for (int declare : tokens.all().words("DECLARE")) {
      tokens.in(list(declare + 1)).names().stream().map(tokens::lowerName).forEach(declared::add);
    }
  }

  /** Whether locks of GET_LOCK are taken or released. */
  static boolean changesLocks(String body) {
    return LOCK.matcher(body).find();
  }

  /** Whether the session's LAST_INSERT_ID() is asked for. */
  static boolean asksInsertId(String body) {
    return INSERT_ID.matcher(body).find();
  }

  /** Names of the locks that are taken, in lower case; null: not all are known. */
  static @Nullable Set<String> locks(String body) {
    var names = new HashSet<String>();
    Matcher named = NAMED_CALL.matcher(body);
    long count = 0;
    while (named.find()) {
      names.add(named.group(1).toLowerCase(Locale.ROOT));
      count++;
    }
    return CALL.matcher(body).results().count() == count ? names : null;
  }

  /** Whether user variables, session variables or temporary tables may be others afterwards. */
  static boolean leavesState(String body) {
    String text = HEAD + body.strip();
    SqlTokens tokens = SqlTokens.of(text);
    boolean isCut = tokens.size() == 0 || tokens.end(tokens.size() - 1) < text.length() - 1;
    return isCut || new ProgramText(tokens).leavesState();
  }

  private boolean leavesState() {
    return tokens.all().has(this::leavesState);
  }

  private boolean leavesState(int token) {
    return switch (tokens.kind(token)) {
      case VARIABLE -> tokens.isOperator(token + 1, ":=") || follows(token, ASSIGNING);
      case WORD ->
          tokens.isWord(token, "TEMPORARY")
              || (tokens.isWord(token, "INTO")
                  && tokens.in(list(token + 1)).hasKind(TokenKind.VARIABLE))
              || (tokens.isWord(token, "SET") && !follows(token, OTHER_SETS) && assigns(token + 1));
      default -> false;
    };
  }

  /** What stands between commas, each one token; with the first that no comma follows. */
  private Span list(int first) {
    int last =
        tokens
            .from(first)
            .skip(
                token ->
                    (token - first) % 2 == 0
                        ? tokens.isPunctuation(token + 1, ',')
                        : tokens.isPunctuation(token, ','));
    return new Span(first, last + 1);
  }

  /** Whether one of those words stands in front of the token in the same statement. */
  private boolean follows(int token, Set<String> words) {
    int nearest =
        tokens
            .between(0, token)
            .findLast(
                each ->
                    tokens.isPunctuation(each, ';')
                        || words.contains(tokens.word(each))
                        || BOUNDARIES.contains(tokens.word(each)));
    return words.contains(tokens.word(nearest));
  }

  /** Whether a list of assignments has one whose target is neither the row's nor the program's. */
  private boolean assigns(int from) {
    int end = tokens.from(from).skip(token -> !tokens.isPunctuation(token, ';'));
    return tokens.between(from, end).parts().stream().anyMatch(part -> !isOwn(part.first()));
  }

  private boolean isOwn(int target) {
    boolean isRow = tokens.isWord(target, "NEW") && tokens.isPunctuation(target + 1, '.');
    return isRow || (tokens.isName(target) && declared.contains(tokens.lowerName(target)));
  }
}
