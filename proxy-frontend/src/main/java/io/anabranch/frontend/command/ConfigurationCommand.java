package io.anabranch.frontend.command;

import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import java.util.function.Supplier;

/**
 * What administrators do to the configuration:
 *
 * <ul>
 *   <li>{@code RELOAD CONFIGURATION}: the files as they are now; a row for each change
 *   <li>{@code SHOW CONFIGURATION DIFF}: what that would change
 *   <li>{@code SHOW CONFIGURATION HISTORY}: what was in force since when, and who wanted it
 *   <li>{@code ROLLBACK CONFIGURATION}: what was in force before
 * </ul>
 */
final class ConfigurationCommand {

  private static final String CONFIGURATION = "CONFIGURATION";
  private static final int CHANGE = 1024;

  private static final List<ResultColumn> CHANGES = List.of(LocalColumns.text("change", CHANGE));

  private static final List<ResultColumn> VERSIONS =
      List.of(
          LocalColumns.number("version"),
          LocalColumns.text("since", 32),
          LocalColumns.text("author", 128),
          LocalColumns.text("changes", CHANGE));

  private ConfigurationCommand() {}

  /** Whether such statements may be of it. */
  static boolean takes(StatementKind kind) {
    return kind == StatementKind.OTHER
        || kind == StatementKind.SHOW
        || kind == StatementKind.ROLLBACK;
  }

  /** False, and nothing has happened, if the statement is another. */
  static boolean answer(SqlTokens tokens, Answer answer) {
    if (!tokens.isWord(1, CONFIGURATION)) {
      return false;
    }
    Session session = answer.session();
    ConfigurationControl control = session.deployment().control();
    String author = session.clientAccount();
    if (tokens.isWord(0, "RELOAD") && tokens.size() == 2) {
      changes(answer, () -> control.reload(author));
    } else if (tokens.isWord(0, "ROLLBACK") && tokens.size() == 2) {
      changes(answer, () -> control.rollback(author));
    } else if (tokens.isWord(0, "SHOW") && tokens.isWord(2, "DIFF") && tokens.size() == 3) {
      changes(answer, control::difference);
    } else if (tokens.isWord(0, "SHOW") && tokens.isWord(2, "HISTORY") && tokens.size() == 3) {
      requireAdmin(session);
      answer.rows(VERSIONS, control.history().stream().map(ConfigurationCommand::row).toList());
    } else {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "this statement on the configuration",
          "there are RELOAD CONFIGURATION, ROLLBACK CONFIGURATION, SHOW CONFIGURATION DIFF and SHOW"
              + " CONFIGURATION HISTORY");
    }
    return true;
  }

  private static void changes(Answer answer, Supplier<List<String>> work) {
    requireAdmin(answer.session());
    answer.blocking(
        () -> {
          List<List<String>> rows;
          try {
            rows = work.get().stream().map(List::of).toList();
          } catch (ConfigurationRefusedException refused) {
            throw ErrorCatalogue.CONFIGURATION_REFUSED.refuse(
                String.join("\n", refused.problems()));
          }
          return () -> answer.rows(CHANGES, rows);
        });
  }

  private static List<String> row(ConfigurationControl.Version version) {
    return List.of(
        Long.toString(version.number()),
        version.since().toString(),
        version.author(),
        String.join("\n", version.changes()));
  }

  private static void requireAdmin(Session session) {
    if (!session.user().admin()) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
  }
}
