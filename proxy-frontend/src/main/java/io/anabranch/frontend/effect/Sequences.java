package io.anabranch.frontend.effect;

import io.anabranch.backend.relay.command.RelayOutcome;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a statement has to do with MariaDB's sequences. What a sequence gave last is known to the
 * connection that drew from it, so that connection stays with the session.
 *
 * @param drawn full names of sequences that are drawn from
 * @param asked full names of those whose last value is asked for
 * @param surely whether the statement draws if it changes or answers a row at all
 * @see <a href="https://mariadb.com/kb/en/previous-value-for-sequence_name/">PREVIOUS VALUE</a>
 */
public record Sequences(Set<String> drawn, Set<String> asked, boolean surely) {

  public static final Sequences NONE = new Sequences(Set.of(), Set.of(), false);

  /** Behind them something may not be computed. */
  private static final Set<String> CONDITIONS =
      Set.of(
          "IF",
          "CASE",
          "COALESCE",
          "IFNULL",
          "NULLIF",
          "NVL",
          "NVL2",
          "DECODE",
          "ELT",
          "AND",
          "OR",
          "UNION",
          "EXISTS",
          "DUPLICATE",
          "IN",
          "ANY",
          "ALL",
          "SOME",
          "INTERVAL",
          "FIELD",
          "HAVING");

  /**
   * @param database the current one, in which names without another one are
   * @param isOracle whether {@code s.NEXTVAL} and {@code s.CURRVAL} are no columns
   */
  static Sequences of(SqlTokens tokens, String database, boolean isOracle) {
    var found = new Names(database, isOracle);
    tokens
        .all()
        .where(token -> tokens.kind(token) == TokenKind.WORD)
        .forEach(token -> found.note(tokens, token));
    boolean isConditional =
        tokens
            .all()
            .has(
                token ->
                    CONDITIONS.contains(tokens.word(token))
                        || tokens.isOperator(token, "&&")
                        || tokens.isOperator(token, "||"));
    boolean isOne = tokens.all().count(token -> tokens.isWord(token, "SELECT")) < 2;
    return found.of(isOne && !isConditional);
  }

  /** The names that a statement's tokens are looked through for. */
  private record Names(
      String database,
      boolean isOracle,
      Set<String> drawn,
      Set<String> asked,
      Set<String> askedFirst) {

    Names(String database, boolean isOracle) {
      this(database, isOracle, new HashSet<>(), new HashSet<>(), new HashSet<>());
    }

    Sequences of(boolean isSure) {
      if (drawn.isEmpty() && asked.isEmpty() && askedFirst.isEmpty()) {
        return NONE;
      }
      if (isSure) {
        asked.removeAll(drawn);
      }
      asked.addAll(askedFirst);
      return new Sequences(Set.copyOf(drawn), Set.copyOf(asked), isSure);
    }

    void note(SqlTokens tokens, int token) {
      boolean isCall = tokens.isPunctuation(token + 1, '(');
      boolean isValue = tokens.isWord(token + 1, "VALUE") && tokens.isWord(token + 2, "FOR");
      if (isCall && tokens.isWord(token, "NEXTVAL")) {
        add(drawn, argument(tokens, token + 2));
      } else if (isCall && tokens.isWord(token, "LASTVAL")) {
        ask(argument(tokens, token + 2));
      } else if (isValue && tokens.isWord(token, "NEXT")) {
        add(drawn, name(tokens, token + 3));
      } else if (isValue && tokens.isWord(token, "PREVIOUS")) {
        ask(name(tokens, token + 3));
      } else if (isOracle && tokens.isPunctuation(token - 1, '.')) {
        if (tokens.isWord(token, "NEXTVAL")) {
          add(drawn, owner(tokens, token - 2));
        } else if (tokens.isWord(token, "CURRVAL")) {
          ask(owner(tokens, token - 2));
        }
      }
    }

    private void ask(@Nullable String name) {
      add(name != null && drawn.contains(name) ? asked : askedFirst, name);
    }

    /** The one name in parentheses; null for anything else: a function of somebody's own. */
    private @Nullable String argument(SqlTokens tokens, int token) {
      int end = tokens.isPunctuation(token + 1, '.') ? token + 3 : token + 1;
      return tokens.isPunctuation(end, ')') ? name(tokens, token) : null;
    }

    /** The name that begins there. */
    private @Nullable String name(SqlTokens tokens, int token) {
      if (!tokens.isName(token)) {
        return null;
      }
      return tokens.isPunctuation(token + 1, '.') && tokens.isName(token + 2)
          ? tokens.name(token) + "." + tokens.name(token + 2)
          : database + "." + tokens.name(token);
    }

    /** The name that ends there. */
    private @Nullable String owner(SqlTokens tokens, int token) {
      if (!tokens.isName(token)) {
        return null;
      }
      return tokens.isPunctuation(token - 1, '.') && tokens.isName(token - 2)
          ? tokens.name(token - 2) + "." + tokens.name(token)
          : database + "." + tokens.name(token);
    }
  }

  private static void add(Set<String> names, @Nullable String name) {
    if (name != null) {
      names.add(name);
    }
  }

  /** Those of the current statement. */
  public static Sequences of(Session session, CurrentStatement statement) {
    return statement.scan().mentionsSequence()
        ? of(statement.source().tokens(), database(session), isOracle(session))
        : NONE;
  }

  /** Those of a text that becomes a statement. */
  static Sequences of(Session session, String text) {
    return of(SqlTokens.of(text), database(session), isOracle(session));
  }

  private static boolean isOracle(Session session) {
    String mode = session.settings().variables().getOrDefault("sql_mode", "");
    return mode.toUpperCase(Locale.ROOT).contains("ORACLE");
  }

  private static String database(Session session) {
    String name = session.database().name();
    return name == null ? "" : name;
  }

  /** Why the statement must not run on the data source; null: it may. */
  public @Nullable RefusedException refusal(Session session, String dataSource) {
    for (String sequence : asked) {
      if (!session.connections().pins().haveDrawn(dataSource, sequence)) {
        return ErrorCatalogue.SEQUENCE_UNKNOWN.refuse(sequence);
      }
    }
    return null;
  }

  /** Names that were surely drawn from by a statement with that answer. */
  public Set<String> drawnBy(StatementKind kind, RelayOutcome.Done answer) {
    boolean ran = kind == StatementKind.DO || answer.affectedRows() > 0 || answer.rows() > 0;
    return ran ? drawnForSure() : Set.of();
  }

  /** Names that are surely drawn from, if the statement does anything. */
  Set<String> drawnForSure() {
    return surely ? drawn : Set.of();
  }
}
