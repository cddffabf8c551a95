package io.anabranch.frontend.show;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Diagnostics;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.SessionRegistry;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;

/** SHOW of what the proxy knows itself: databases, sessions, errors. */
public final class ShowCommand {

  private final SessionRegistry registry;

  public ShowCommand(SessionRegistry registry) {
    this.registry = registry;
  }

  public void run(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    boolean full = tokens.isWord(1, "FULL");
    if (tokens.isWord(1, "DATABASES") || tokens.isWord(1, "SCHEMAS")) {
      databases(source, answer);
    } else if (tokens.isWord(full ? 2 : 1, "PROCESSLIST")) {
      Syntax.requireEnd(source, full ? 3 : 2);
      ProcessListing.run(registry, full, answer);
    } else if (tokens.isWord(1, "WARNINGS") || tokens.isWord(1, "ERRORS")) {
      problems(source, answer);
    } else if (tokens.isWord(1, "COUNT") && tokens.isPunctuation(2, '(')) {
      Syntax.requireEnd(source, 6);
      count(tokens.isWord(5, "ERRORS"), answer);
    } else if (SessionListing.answer(source, answer)) {
      return;
    } else if (GroupCommand.isShow(tokens)) {
      GroupCommand.show(tokens, answer);
    } else if (tokens.isWord(1, "GRANTS")) {
      GrantsListing.run(source, answer);
    } else if (GrantedTables.concerns(tokens, answer.session())) {
      answer.instead(GrantedTables.query(source, answer.session()));
    } else if (isOfOwnAccount(tokens)) {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "SHOW CREATE USER of one's own account, which is in the proxy's configuration,",
              "look there, use SHOW GRANTS, or name the server's account"));
    } else {
      answer.plan();
    }
  }

  /** The server's own account is the one that the data source is opened with. */
  public static boolean isOfOwnAccount(SqlTokens tokens) {
    boolean shows = tokens.isWord(1, "CREATE") && tokens.isWord(2, "USER");
    return shows && (tokens.size() == 3 || tokens.isWord(3, "CURRENT_USER"));
  }

  private static void databases(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    String pattern = null;
    if (tokens.isWord(2, "LIKE") && tokens.size() == 4 && tokens.kind(3) == TokenKind.STRING) {
      pattern = OwnVariables.unquoted(tokens.text(3));
      if (pattern.equals(tokens.text(3))) {
        answer.fail(Syntax.near(source.text(), tokens.start(3)));
        return;
      }
    } else if (tokens.isWord(2, "WHERE") && tokens.size() > 3) {
      answer.instead(selected(source, names(answer.session())));
      return;
    } else {
      Syntax.requireEnd(source, 2);
    }
    Session session = answer.session();
    String like = pattern;
    List<List<String>> rows =
        names(session).stream()
            .filter(name -> like == null || LikePattern.matches(name, like))
            .map(List::of)
            .toList();
    String title = like == null ? "Database" : "Database (" + like + ")";
    boolean isMariaDb = session.deployment().isMariaDb();
    answer.rows(List.of(LocalColumns.ofDatabases(title, isMariaDb)), rows);
  }

  /** What the session's user sees, in its order. */
  private static List<String> names(Session session) {
    var names = new ArrayList<String>();
    names.add("information_schema");
    for (Backend backend : session.deployment().backends().values()) {
      String name = backend.database().name();
      if (session.database().isPermitted(name)) {
        names.add(name);
      }
    }
    names.sort(null);
    return names;
  }

  /** SHOW DATABASES WHERE, for a database that computes the condition. */
  private static String selected(SourceText source, List<String> names) {
    SqlTokens tokens = source.tokens();
    var sql = new StringBuilder("SELECT `Database` FROM (");
    String between = "SELECT ";
    for (String name : names) {
      sql.append(between).append(TableNames.literal(name)).append(" AS `Database`");
      between = " UNION ALL SELECT ";
    }
    return sql.append(") AS listing WHERE (")
        .append(source.text(), tokens.start(3), tokens.end(tokens.size() - 1))
        .append(") ORDER BY CAST(`Database` AS BINARY)")
        .toString();
  }

  private static void problems(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    Limit limit = limit(source);
    Diagnostics diagnostics = answer.session().diagnostics();
    List<List<String>> rows = diagnostics.warningRows();
    if (rows == null) {
      answer.fail(
          ErrorCatalogue.NOT_SUPPORTED.refuse(
              "SHOW WARNINGS behind a statement on several data sources",
              "run the statement for one of them"));
      return;
    }
    if (tokens.isWord(1, "ERRORS")) {
      rows = rows.stream().filter(row -> row.getFirst().equals("Error")).toList();
    }
    answer.keepDiagnostics();
    answer.rows(
        LocalColumns.ofWarnings(answer.session().deployment().isMariaDb()),
        rows.stream().skip(limit.offset()).limit(limit.count()).toList());
  }

  /** Rows of an answer. */
  private record Limit(long offset, long count) {

    static final Limit NONE = new Limit(0, Long.MAX_VALUE);
  }

  /** {@code LIMIT count}, {@code LIMIT offset, count}, {@code LIMIT count OFFSET offset}. */
  private static Limit limit(SourceText source) {
    SqlTokens tokens = source.tokens();
    if (!tokens.isWord(2, "LIMIT")) {
      Syntax.requireEnd(source, 2);
      return Limit.NONE;
    }
    boolean isBehind = tokens.isWord(4, "OFFSET");
    boolean skips = isBehind || tokens.isPunctuation(4, ',');
    long first = tokens.wholeNumber(3);
    long second = skips ? tokens.wholeNumber(5) : 0;
    if (first < 0 || second < 0) {
      throw Syntax.near(source.text(), tokens.start(first < 0 ? 3 : 5));
    }
    Syntax.requireEnd(source, skips ? 6 : 4);
    return skips && !isBehind ? new Limit(first, second) : new Limit(second, first);
  }

  private static void count(boolean errors, Answer answer) {
    Diagnostics diagnostics = answer.session().diagnostics();
    long count = errors ? diagnostics.errors() : diagnostics.warnings();
    String title = errors ? "@@session.error_count" : "@@session.warning_count";
    answer.keepDiagnostics();
    answer.rows(
        List.of(LocalColumns.unsignedCount(title, false)), List.of(List.of(Long.toString(count))));
  }
}
