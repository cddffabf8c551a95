package io.anabranch.frontend.command;

import io.anabranch.frontend.administration.AdministrationCommand;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.NamedDatabase;
import io.anabranch.frontend.effect.KeptWarnings;
import io.anabranch.frontend.execution.relay.Preparation;
import io.anabranch.frontend.local.DiagnosticsCommand;
import io.anabranch.frontend.local.LocalStatements;
import io.anabranch.frontend.local.NamedStatements;
import io.anabranch.frontend.local.OwnTablesCommand;
import io.anabranch.frontend.privilege.KnownNames;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.rewrite.SessionValues;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.statement.PreparableStatements;
import io.anabranch.frontend.statement.SetStatement;
import io.anabranch.frontend.statement.VersionComments;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.rewrite.MarkerLiterals;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who answers a statement: the proxy itself, as with {@code SET} and {@code SHOW WARNINGS}, or
 * databases, by a plan. Texts that hide what they are, in a comment or behind {@code SET
 * STATEMENT}, are first put in their plain form.
 */
final class StatementChoice {

  private final Session session;
  private final CurrentStatement statement;
  private final LocalStatements local;
  private final OwnTablesCommand ownTables;
  private final Preparation preparation;
  private final StatementAdmission admission;
  private final OwnAnswer own;

  StatementChoice(
      Session session,
      CurrentStatement statement,
      LocalStatements local,
      OwnTablesCommand ownTables,
      Preparation preparation,
      StatementAdmission admission,
      OwnAnswer own) {
    this.session = session;
    this.statement = statement;
    this.local = local;
    this.ownTables = ownTables;
    this.preparation = preparation;
    this.admission = admission;
    this.own = own;
  }

  /** Answers it, or gives it to who plans it. */
  void make() {
    if (statement.command().bulk() != null && !isBulkStatement()) {
      throw ErrorCatalogue.NOT_PREPARABLE.refuse();
    }
    requireReadable();
    if (local.takes(statement.scan().kind())) {
      LocalStatements.requireShort(statement.scan());
    }
    if (statement.scan().hasExecutableComment()) {
      unwrap();
    }
    if (statement.command().prepareReply() != null && isRefusedToPrepare()) {
      throw ErrorCatalogue.NOT_PREPARABLE.refuse();
    }
    if (session.diagnostics().warnings() > 0
        && session.deployment().isMariaDb()
        && !keepsWarnings()) {
      session.diagnostics().forgetWarnings();
    }
    if (AdministrationCommand.mayBe(statement.scan().kind())
        && AdministrationCommand.answer(
            statement.source().tokens(), statement.command().prepareReply() != null, own)) {
      return;
    }
    if (ownTables.answer(statement, own)) {
      return;
    }
    if (local.takes(statement.scan().kind())) {
      ofSession();
    } else if (!SessionValues.answer(statement, own)
        && !DiagnosticsCommand.answer(statement, own)) {
      admission.admit();
    }
  }

  /** Whether it leaves what the statement before warned of, as MariaDB's do. */
  private boolean keepsWarnings() {
    StatementKind kind = statement.scan().kind();
    return switch (kind) {
      case PREPARE, EXECUTE -> NamedStatements.keepWarnings(statement.source(), session);
      default -> KeptWarnings.areKept(kind, statement.source().tokens());
    };
  }

  private boolean isBulkStatement() {
    if (statement.scan().kind() != StatementKind.SET) {
      return isBulkStatement(statement.scan().kind());
    }
    SetStatement.ForStatement outer = setForStatement();
    if (outer == null) {
      return false;
    }
    SourceText source = statement.source();
    byte[] text = source.bytes();
    var inner = new Scan();
    new SqlScanner().scan(text, outer.statementOffset(), text.length, session.lexerMode(), inner);
    return isBulkStatement(inner.kind());
  }

  /** Whether what stands behind {@code SET STATEMENT … FOR} has all parameters, and takes them. */
  private boolean keepsMarkers() {
    SetStatement.ForStatement outer = setForStatement();
    if (outer == null) {
      return false;
    }
    SqlTokens tokens = statement.source().tokens();
    boolean ofSettings =
        tokens
            .between(0, outer.statementToken())
            .has(token -> tokens.kind(token) == TokenKind.MARKER);
    return !ofSettings || !LocalStatements.takeApart(session);
  }

  /** {@code SET STATEMENT … FOR} another one; null: it is none. */
  private SetStatement.@Nullable ForStatement setForStatement() {
    boolean is = statement.scan().kind() == StatementKind.SET;
    return is && SetStatement.parse(statement.source()) instanceof SetStatement.ForStatement found
        ? found
        : null;
  }

  private boolean isRefusedToPrepare() {
    return PreparableStatements.areRefused(
        statement.scan().kind(),
        () -> statement.source().tokens(),
        session.deployment().isMariaDb());
  }

  /** Those that servers run for many rows of parameters. */
  private static boolean isBulkStatement(StatementKind kind) {
    return switch (kind) {
      case INSERT, REPLACE, UPDATE, DELETE -> true;
      default -> false;
    };
  }

  /**
   * Comments decide what the statement is, or are in one that the proxy reads itself, or what they
   * hide must be known to tell where the statement runs, or whether the user may do it. Planners of
   * databases with rules see none: a clause that is moved would leave half of one behind.
   */
  private void unwrap() {
    SourceText source = statement.source();
    boolean decides = source.tokens().kind(0) == TokenKind.EXECUTABLE_START;
    boolean isLimited = !session.user().grants().isUnlimited() || session.database().isRestricted();
    String plain = new VersionComments(session.deployment().serverVersion()).unwrap(source);
    if (decides
        || isLimited
        || isRead()
        || local.takes(statement.scan().kind())
        || isOfAnotherKind(plain)) {
      statement.replace(plain);
      requireReadable();
    }
  }

  /** {@code ALTER /*!999999 TABLE t *}{@code / USER …}. */
  private boolean isOfAnotherKind(String plain) {
    byte[] bytes = plain.getBytes(session.charset());
    return CountedTexts.scan(bytes, session).kind() != statement.scan().kind();
  }

  /** Whether its words are read to tell where it runs. */
  private boolean isRead() {
    Backend current = session.backend();
    return current != null && !current.database().isPassThrough();
  }

  private void requireReadable() {
    if (statement.scan().unreadable() >= 0) {
      throw statement.text().unreadable();
    }
  }

  /** Whether the user may go to a database is asked where it goes there. */
  private void checkRights() {
    StatementKind kind = statement.scan().kind();
    if (kind != StatementKind.USE) {
      Backend shown = NamedDatabase.of(statement, session);
      Backend about = shown == null ? session.backend() : shown;
      String database = about == null ? "" : about.database().name();
      Privileges.check(kind, statement.source(), session, KnownNames.of(database));
    }
  }

  private void ofSession() {
    boolean prepares = statement.command().prepareReply() != null;
    if (prepares && local.isWithoutResult(statement.scan().kind(), statement::source)) {
      preparation.answer(List.of(), 0);
    } else {
      if (statement.command().prepared() != null
          && statement.scan().parameterCount() > 0
          && !keepsMarkers()) {
        List<MarkerLiterals.Value> values =
            BoundParameters.literals(statement.values().slots(), session).stream()
                .map(MarkerLiterals.Value::of)
                .toList();
        statement.replace(MarkerLiterals.in(statement.source(), values));
      }
      checkRights();
      local.run(statement.scan().kind(), statement.source(), own);
    }
  }
}
