package io.anabranch.frontend.administration;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.effect.ImplicitCommit;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers statements of administration, and refuses those that nobody knows. */
public final class AdministrationCommand {

  /** The file of the rules is looked at for each definition, while others wait to change it. */
  private static final int MOST_WORDS = 16_384;

  private AdministrationCommand() {}

  /** Whether statements of that kind are to be looked at. */
  public static boolean mayBe(StatementKind kind) {
    return switch (kind) {
      case OTHER, SHOW, CREATE, ALTER, ALTER_GROUP, DROP, SET, ROLLBACK, ACCOUNT -> true;
      default -> false;
    };
  }

  /**
   * On the session's event loop.
   *
   * @param prepares the statement is only prepared: it changes nothing
   * @return false, and nothing has happened, if the statement is another
   * @throws io.anabranch.rules.error.RefusedException if it is one that nobody knows, or that the
   *     user may not use
   */
  public static boolean answer(SqlTokens tokens, boolean prepares, Answer answer) {
    Session session = answer.session();
    AdministrationStatements.Found found =
        AdministrationStatements.find(tokens, session.lexerMode());
    if (found == null) {
      UnknownStatement unknown = UnknownStatement.find(tokens);
      if (unknown == null) {
        return false;
      }
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(unknown.words(), unknown.instead());
    }
    Form form = found.form();
    Form.Rows rows = form.rows();
    if (rows == null) {
      return false;
    }
    if (AdministrationStatements.isOfAccounts(form)
        && !Request.of(session, found.match()).isOfOwnAccounts()) {
      return false;
    }
    if (AdministrationStatements.isOfDatabases(form)) {
      if (!LogicalDatabases.concerns(Request.of(session, found.match()))) {
        return false;
      }
    } else if (form.access() == Form.Access.ADMIN && !session.user().admin()) {
      throw ErrorCatalogue.PRIVILEGE_NEEDED.refuse("SUPER");
    }
    if (tokens.size() > MOST_WORDS) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement of administration of more than " + MOST_WORDS + " words", "divide it");
    }
    if (form.changes()) {
      // there may be a password, and others see what runs
      session.command().tells(form.syntax());
    }
    Request request = Request.of(session, found.match());
    if (prepares) {
      end(form, List.of(), answer);
    } else {
      answer.blocking(
          () -> {
            if (AdministrationStatements.isOfServersToo(form)) {
              ImplicitCommit.run(session);
            }
            List<? extends List<@Nullable String>> made = made(rows, request);
            return () -> end(form, made, answer);
          });
    }
    return true;
  }

  private static List<? extends List<@Nullable String>> made(Form.Rows rows, Request request) {
    try {
      return rows.of(request);
    } catch (ConfigurationRefusedException refused) {
      throw ErrorCatalogue.CONFIGURATION_REFUSED.refuse(String.join("\n", refused.problems()));
    }
  }

  private static void end(Form form, List<? extends List<@Nullable String>> rows, Answer answer) {
    if (form.columns().isEmpty()) {
      if (!rows.isEmpty()) {
        answer.warned(
            rows.stream().map(row -> row.stream().map(String::valueOf).toList()).toList());
      }
      answer.ok();
    } else {
      answer.rows(form.columns(), rows);
    }
  }
}
