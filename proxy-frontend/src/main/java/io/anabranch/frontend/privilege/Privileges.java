package io.anabranch.frontend.privilege;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.right.Grants;
import java.util.Locale;
import java.util.Set;

/**
 * What users without {@code admin: true} may not do, although the proxy's own account on the
 * databases may. Looks at tokens alone, so that it holds for statements that nobody parses; where
 * these leave a doubt the statement is refused.
 */
public final class Privileges {

  private static final Set<String> FIRST_WORDS_OF_ADMINS =
      Set.of(
          "GRANT",
          "REVOKE",
          "FLUSH",
          "INSTALL",
          "UNINSTALL",
          "SHUTDOWN",
          "RESTART",
          "PURGE",
          "BINLOG",
          "CLONE",
          "CHANGE",
          "RESET",
          "CACHE",
          "STOP",
          "BACKUP",
          "IMPORT");
  private static final Set<String> OBJECTS_OF_ADMINS =
      Set.of(
          "USER",
          "ROLE",
          "SERVER",
          "TABLESPACE",
          "LOGFILE",
          "DATABASE",
          "SCHEMA",
          "RESOURCE",
          "INSTANCE");

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

  /** Those of the session that servers let administrators alone set, and that concern others. */
  private static final Set<String> VARIABLES_OF_ADMINS =
      Set.of(
          "binlog_annotate_row_events",
          "binlog_direct_non_transactional_updates",
          "binlog_format",
          "binlog_row_image",
          "binlog_row_value_options",
          "binlog_rows_query_log_events",
          "binlog_transaction_compression",
          "enforce_storage_engine",
          "gtid_domain_id",
          "gtid_next",
          "gtid_seq_no",
          "immediate_server_version",
          "innodb_tmpdir",
          "log_disabled_statements",
          "original_commit_timestamp",
          "original_server_version",
          "pseudo_replica_mode",
          "pseudo_slave_mode",
          "pseudo_thread_id",
          "server_id",
          "skip_replication",
          "sql_generate_invisible_primary_key",
          "sql_log_bin",
          "sql_log_off",
          "sql_require_primary_key",
          "wsrep_on",
          "xa_detach_on_prepare");

  private static final Set<String> WITH_BODY =
      Set.of("PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE");

  private static final Set<String> WITH_DEFINER =
      Set.of("VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE");

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
    checkStatement();
    boolean compound = isCompound();
    if (compound && tokens.all().has(i -> WORDS_OF_ADMINS.contains(tokens.word(i)))) {
      throw needs("ADMIN");
    }
    if (tokens.all().has(this::namesFile)) {
      throw needs("FILE");
    }
    schemas.check();
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

  private void checkStatement() {
    if (FIRST_WORDS_OF_ADMINS.contains(tokens.word(0))
        || (tokens.isWord(0, "START") && !tokens.isWord(1, "TRANSACTION"))) {
      throw needs("ADMIN");
    }
    switch (tokens.word(0)) {
      case "CREATE", "ALTER", "DROP", "RENAME" -> checkDefinition();
      case "SET" -> checkSet();
      case "EXPLAIN", "DESC", "DESCRIBE", "ANALYZE" -> {
        if (tokens.isWord(1, "FOR") || (tokens.isWord(1, "FORMAT") && tokens.isWord(4, "FOR"))) {
          throw needs("PROCESS");
        }
      }
      case "SHOW" -> new ShowPrivileges(tokens, schemas).check();
      case "LOAD" -> {
        boolean ofFile = tokens.isWord(1, "DATA") || tokens.isWord(1, "XML");
        if (ofFile && !tokens.isWord(2, "LOCAL") && !tokens.isWord(3, "LOCAL")) {
          throw needs("FILE");
        }
      }
      default -> {}
    }
  }

  private void checkDefinition() {
    int object = 1;
    if (tokens.isWord(object, "OR")) {
      object += 2;
    }
    if (tokens.isWord(object, "UNDO")) {
      object++;
    }
    boolean ofServer = OBJECTS_OF_ADMINS.contains(tokens.word(object));
    boolean drops = tokens.isWord(0, "DROP") && tokens.isWord(1, "PREPARE");
    if (ofServer || (!drops && tokens.from(object).hasWord("SONAME", "DIRECTORY"))) {
      throw needs("ADMIN");
    }
    refuseDefiner();
  }

  /** A program that runs with somebody else's rights is for those who have them. */
  private void refuseDefiner() {
    int object = tokens.from(1).skip(i -> !WITH_DEFINER.contains(tokens.word(i)));
    boolean isOther =
        tokens
            .between(1, object)
            .has(
                i ->
                    tokens.isWord(i, "DEFINER")
                        && !tokens.isAnyWord(i + 2, "CURRENT_USER", "CURRENT_ROLE"));
    if (isOther) {
      throw needs("SUPER, SET USER");
    }
  }

  private void checkSet() {
    refuseCatalogue();
    refuseVariables();
    if (tokens.isWord(1, "PASSWORD") || tokens.isWord(1, "ROLE") || tokens.isWord(1, "RESOURCE")) {
      throw needs("ADMIN");
    }
    boolean role = tokens.isWord(1, "DEFAULT") && tokens.isWord(2, "ROLE");
    if (role || tokens.from(1).has(this::setsOfServer)) {
      throw needs("ADMIN");
    }
  }

  private boolean setsOfServer(int i) {
    boolean begins = i == 1 || tokens.isPunctuation(i - 1, ',');
    String text = begins ? tokens.text(i).toUpperCase(Locale.ROOT) : "";
    boolean word = text.equals("GLOBAL") || text.startsWith("PERSIST");
    return (word && tokens.kind(i + 1) != TokenKind.OPERATOR)
        || text.startsWith("@@GLOBAL")
        || text.startsWith("@@PERSIST");
  }

  /** Of the session, too: they change what servers write down for others. */
  private void refuseVariables() {
    boolean areOfAdmins =
        tokens
            .from(1)
            .has(
                i ->
                    (tokens.isOperator(i + 1, "=") || tokens.isOperator(i + 1, ":="))
                        && VARIABLES_OF_ADMINS.contains(variable(i)));
    if (areOfAdmins) {
      throw needs("ADMIN");
    }
  }

  private String variable(int token) {
    return tokens.text(token).toLowerCase(Locale.ROOT).replaceAll("^@@(\\w+\\.)?|`", "");
  }

  /** Expressions of SET are computed as they are: nobody keeps them to the user's own rows. */
  private void refuseCatalogue() {
    boolean ofStatement = tokens.isWord(1, "STATEMENT");
    int end = tokens.from(1).skip(i -> !(ofStatement && tokens.isWord(i, "FOR")));
    if (tokens.between(1, end).hasName(NamedSchemas.INFORMATION_SCHEMA)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "information_schema in SET, by users without admin", "use SELECT … INTO @variable");
    }
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }
}
