package io.anabranch.frontend.show;

import io.anabranch.backend.topology.GroupStatus;
import io.anabranch.backend.topology.Member;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.current.Syntax;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.ResultColumn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What administrators see of read/write groups, and do to them:
 *
 * <ul>
 *   <li>{@code SHOW STATUS FROM READWRITE_SPLITTING RULES [FROM database]}: the members
 *   <li>{@code SHOW READWRITE_SPLITTING EVENTS [FROM database]}: what happened last
 *   <li>{@code ALTER READWRITE_SPLITTING RULE group ENABLE | DISABLE member [FROM database]}
 * </ul>
 */
public final class GroupCommand {

  private static final int NAME = 64;
  private static final int TEXT = 512;

  private static final List<ResultColumn> MEMBERS =
      List.of(
          LocalColumns.text("group", NAME),
          LocalColumns.text("member", NAME),
          LocalColumns.text("role", 8),
          LocalColumns.text("state", 16),
          LocalColumns.text("takes", 16),
          LocalColumns.number("lag_milliseconds"),
          LocalColumns.number("reads"),
          LocalColumns.number("running"),
          LocalColumns.number("latency_microseconds"),
          LocalColumns.text("since", 32),
          LocalColumns.text("reason", TEXT));

  private static final List<ResultColumn> EVENTS =
      List.of(
          LocalColumns.text("time", 32),
          LocalColumns.text("group", NAME),
          LocalColumns.text("event", TEXT));

  private GroupCommand() {}

  static boolean isShow(SqlTokens tokens) {
    return tokens.isWord(1, "READWRITE_SPLITTING")
        || (tokens.isWord(1, "STATUS")
            && tokens.isWord(2, "FROM")
            && tokens.isWord(3, "READWRITE_SPLITTING"));
  }

  static void show(SqlTokens tokens, Answer answer) {
    boolean isEvents = tokens.isWord(1, "READWRITE_SPLITTING") && tokens.isWord(2, "EVENTS");
    boolean isStatus = tokens.isWord(3, "READWRITE_SPLITTING") && tokens.isWord(4, "RULES");
    if (!isEvents && !isStatus) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this SHOW",
          "there are SHOW STATUS FROM READWRITE_SPLITTING RULES and SHOW READWRITE_SPLITTING"
              + " EVENTS");
    }
    Backend backend = backend(tokens, isEvents ? 3 : 5, answer.session());
    var rows = new ArrayList<List<String>>();
    for (GroupStatus group : backend.topology().status()) {
      rows.addAll(isEvents ? events(group) : members(group));
    }
    answer.rows(isEvents ? EVENTS : MEMBERS, rows);
  }

  private static List<List<String>> events(GroupStatus group) {
    return group.events().stream()
        .map(
            event ->
                List.of(
                    Instant.ofEpochMilli(event.atMillis()).toString(),
                    group.definition().name(),
                    event.text()))
        .toList();
  }

  private static List<List<String>> members(GroupStatus group) {
    return group.members().stream().map(member -> row(group, member)).toList();
  }

  private static List<String> row(GroupStatus group, Member member) {
    Member.Condition condition = member.condition();
    boolean isPrimary = member.name().equals(group.primary());
    String takes = "";
    if (isPrimary) {
      takes = group.writes().equals("OPEN") ? "writes" : "writes " + group.writes();
    } else if (group.readers().contains(member.name())) {
      takes = "reads";
    }
    return List.of(
        group.definition().name(),
        member.name(),
        isPrimary ? "primary" : "replica",
        condition.state().name(),
        takes,
        Long.toString(condition.lagMilliseconds()),
        Long.toString(member.reads()),
        Integer.toString(member.running()),
        Long.toString(member.latencyNanos() / 1000),
        Instant.ofEpochMilli(condition.sinceMillis()).toString(),
        group.reason(member));
  }

  /** ALTER READWRITE_SPLITTING RULE group ENABLE | DISABLE member [FROM database]. */
  public static void alter(SourceText source, Answer answer) {
    SqlTokens tokens = source.tokens();
    boolean enables = tokens.isWord(4, "ENABLE");
    boolean isWhole = tokens.isWord(2, "RULE") && tokens.size() > 5;
    if (!isWhole || (!enables && !tokens.isWord(4, "DISABLE"))) {
      answer.fail(Syntax.near(source));
      return;
    }
    Session session = answer.session();
    if (!session.user().admin()) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
    String group = name(tokens, 3);
    String member = name(tokens, 5);
    Backend backend = backend(tokens, 6, session);
    boolean isThere =
        backend.topology().status().stream()
            .filter(each -> each.definition().name().equals(group))
            .flatMap(each -> each.members().stream())
            .anyMatch(each -> each.name().equals(member));
    if (!isThere) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + member + "' in the group '" + group + "'",
          "see SHOW STATUS FROM READWRITE_SPLITTING RULES");
    }
    answer.blocking(
        () -> {
          backend.topology().offline(member, !enables);
          return answer::ok;
        });
  }

  private static Backend backend(SqlTokens tokens, int from, Session session) {
    return tokens.isWord(from, "FROM") && from + 1 < tokens.size()
        ? session.database().permitted(name(tokens, from + 1))
        : session.anyBackend();
  }

  /** Without its quotes, of whichever kind. */
  private static String name(SqlTokens tokens, int token) {
    return tokens.isName(token) ? tokens.name(token) : OwnVariables.unquoted(tokens.text(token));
  }
}
