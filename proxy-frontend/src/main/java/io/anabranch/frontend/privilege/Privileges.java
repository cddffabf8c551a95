package io.anabranch.frontend.privilege;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.right.Grants;
import io.anabranch.rules.syntax.ProgramStatements;
import java.util.Set;

/**
 * What users without {@code admin: true} may not do, although the proxy's own account on the
 * databases may. Looks at tokens alone, so that it holds for statements that nobody parses; where
 * these leave a doubt the statement is refused.
 */
public final class Privileges {

  /** Refused anywhere in stored routines and other compound statements. */
  private static final Set<String> WORDS_OF_ADMINS =
      Set.of(
          "GRANT",
          "REVOKE",
          "FLUSH",
          "INSTALL",
          "UNINSTALL",
          "SHUTDOWN",
          "PURGE",
          "KILL",
          "GLOBAL",
          "PERSIST",
          "PERSIST_ONLY",
          "PREPARE",
          "IMMEDIATE",
          "PASSWORD",
          "INFILE");

  private static final Set<String> WITH_BODY =
      Set.of("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE");

  /** What a program may have in it; with what else servers know, they run it unasked. */
  private static final Set<String> OF_PROGRAMS =
      Set.of(
          "SELECT",
          "WITH",
          "VALUES",
          "TABLE",
          "INSERT",
          "REPLACE",
          "UPDATE",
          "DELETE",
          "TRUNCATE",
          "SET",
          "CALL",
          "DO",
          "RETURN",
          "DECLARE",
          "IF",
          "ELSEIF",
          "ELSE",
          "CASE",
          "WHEN",
          "LOOP",
          "WHILE",
          "REPEAT",
          "UNTIL",
          "FOR",
          "BEGIN",
          "END",
          "LEAVE",
          "ITERATE",
          "EXIT",
          "CONTINUE",
          "GOTO",
          "NULL",
          "EXCEPTION",
          "FUNCTION",
          "PROCEDURE",
          "OPEN",
          "FETCH",
          "CLOSE",
          "SIGNAL",
          "RESIGNAL",
          "RAISE",
          "GET",
          "COMMIT",
          "ROLLBACK",
          "START",
          "SAVEPOINT",
          "RELEASE",
          "CREATE",
          "ALTER",
          "DROP",
          "RENAME",
          "SHOW",
          "DESC",
          "DESCRIBE",
          "EXPLAIN",
          "ANALYZE",
          "CHECK",
          "CHECKSUM",
          "OPTIMIZE",
          "REPAIR",
          "HANDLER",
          "LOCK",
          "UNLOCK",
          "EXECUTE",
          "DEALLOCATE",
          "HELP");

  private static final Set<String> PLAIN =
      Set.of(
          "SELECT",
          "WITH",
          "VALUES",
          "TABLE",
          "INSERT",
          "REPLACE",
          "UPDATE",
          "DELETE",
          "TRUNCATE",
          "SHOW",
          "DESC",
          "DESCRIBE",
          "EXPLAIN",
          "PREVIEW",
          "ANALYZE",
          "CHECK",
          "CHECKSUM",
          "OPTIMIZE",
          "REPAIR",
          "USE",
          "COMMIT",
          "ROLLBACK",
          "START",
          "SAVEPOINT",
          "RELEASE",
          "XA",
          "LOCK",
          "UNLOCK",
          "PREPARE",
          "EXECUTE",
          "DEALLOCATE",
          "CALL",
          "DO",
          "HANDLER",
          "KILL",
          "SET",
          "RENAME",
          "DROP",
          "HELP",
          "LOAD");

  /** Without marks of comments, and without parentheses in front. */
  private final SqlTokens tokens;

  private final NamedSchemas schemas;

  private Privileges(SqlTokens tokens, NamedSchemas schemas) {
    this.tokens = tokens;
    this.schemas = schemas;
  }

  /**
   * The one place where a statement is compared with its user's rights: before it is planned, or
   * answered by the proxy. Plans are kept for those who have the same rights. May block, where
   * {@code names} do.
   *
   * @throws RefusedException 1227, 1044, 1142, 1345, 1370
   */
  public static void check(
      StatementKind kind, SourceText source, Session session, KnownNames names) {
    if (!session.database().isRestricted()) {
      return;
    }
    SqlTokens marked = source.tokens().withoutMarks();
    int first = marked.all().skip(token -> marked.isPunctuation(token, '('));
    SqlTokens tokens = marked.without(token -> token < first);
    new Privileges(tokens, new NamedSchemas(source.tokens(), session, names.own())).check();
    Grants grants = session.user().grants();
    if (!grants.isUnlimited()) {
      new GrantedRights(session, grants, names).check(kind, source.tokens());
    }
  }

  private void check() {
    new StatementPrivileges(tokens, schemas, new Span(0, tokens.size())).check();
    ProgramStatements.of(tokens).forEach(this::checkInner);
    boolean compound = isCompound();
    if (compound && tokens.all().has(i -> WORDS_OF_ADMINS.contains(tokens.word(i)))) {
      throw needs("ADMIN");
    }
    if (tokens.all().has(this::namesFile)) {
      throw needs("FILE");
    }
    schemas.check();
  }

  /** As if it stood alone: its server runs it with the rights of the proxy's account. */
  private void checkInner(Span statement) {
    if (!OF_PROGRAMS.contains(tokens.word(statement.first()))) {
      throw needs("ADMIN");
    }
    var inner = new StatementPrivileges(tokens, schemas, statement);
    inner.check();
    inner.checkShown();
  }

  private boolean namesFile(int i) {
    return (tokens.isAnyWord(i, "OUTFILE", "DUMPFILE") && tokens.isWord(i - 1, "INTO"))
        || (tokens.lowerName(i).equals("load_file") && tokens.isPunctuation(i + 1, '('));
  }

  /** Whether other statements may stand inside. */
  private boolean isCompound() {
    if (!tokens.isWord(0, "CREATE") && !tokens.isWord(0, "ALTER")) {
      return !PLAIN.contains(tokens.word(0))
          || tokens.isWord(1, "STATEMENT")
          || tokens.isWord(1, "NOT");
    }
    boolean ofTable = tokens.isWord(1, "TABLE") || tokens.isWord(1, "TEMPORARY");
    return !ofTable
        && tokens.from(1).has(i -> tokens.depth(i) == 0 && WITH_BODY.contains(tokens.word(i)));
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }
}
