package io.anabranch.frontend.privilege;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.need.TableEngines;
import java.util.Locale;
import java.util.Set;

/**
 * One statement by a user who is kept to its databases, be it a text of its own or a part of a
 * program's body.
 */
final class StatementPrivileges {

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

  /**
   * What CREATE, ALTER, DROP and RENAME may go on with for others: all else that servers know is
   * theirs as a whole.
   */
  private static final Set<String> OF_DATABASES =
      Set.of(
          "AGGREGATE",
          "ALGORITHM",
          "COLUMNSTORE",
          "DEFINER",
          "EVENT",
          "FULLTEXT",
          "FUNCTION",
          "IGNORE",
          "INDEX",
          "JSON",
          "LIBRARY",
          "OFFLINE",
          "ONLINE",
          "PACKAGE",
          "PREPARE",
          "PROCEDURE",
          "SEQUENCE",
          "SQL",
          "TABLE",
          "TABLES",
          "TEMPORARY",
          "TRIGGER",
          "UNIQUE",
          "VECTOR",
          "VIEW");

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

  /** They may be set to engines that keep their own rows, by their names as they are written. */
  private static final Set<String> ENGINES =
      Set.of("default_storage_engine", "default_tmp_storage_engine", "storage_engine");

  private static final String[] PROGRAMS = {"PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"};

  /** The first of these words says what is defined. */
  private static final String[] DEFINED = {
    "TABLE", "TEMPORARY", "INDEX", "VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE"
  };

  private static final Set<String> WITH_DEFINER =
      Set.of("VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE");

  private final SqlTokens tokens;
  private final NamedSchemas schemas;
  private final Span statement;
  private final int first;
  private final int behind;

  /**
   * @param tokens without marks of comments
   * @param statement which of them are its own
   */
  StatementPrivileges(SqlTokens tokens, NamedSchemas schemas, Span statement) {
    this.tokens = tokens;
    this.schemas = schemas;
    this.statement = statement;
    this.first = statement.first();
    this.behind = statement.behind();
  }

  /** All of its tokens but so many at its beginning. */
  private TokenRange within(int from) {
    return tokens.between(first + from, behind);
  }

  /**
   * The proxy keeps lists to what the user may see where it answers them; a program's are the
   * server's own.
   */
  void checkShown() {
    if (tokens.isWord(first, "SHOW")) {
      new ShowPrivileges(tokens, schemas, statement).checkStored();
    }
  }

  /**
   * @throws RefusedException 1227, 1044, 1235
   */
  void check() {
    boolean ofServer =
        switch (tokens.word(first)) {
          case "START" -> !tokens.isWord(first + 1, "TRANSACTION");
          case "LOCK", "UNLOCK" -> tokens.isWord(first + 1, "INSTANCE");
          default -> FIRST_WORDS_OF_ADMINS.contains(tokens.word(first));
        };
    if (ofServer) {
      throw needs("ADMIN");
    }
    switch (tokens.word(first)) {
      case "CREATE", "ALTER", "DROP", "RENAME" -> checkDefinition();
      case "SET" -> checkSet();
      case "EXPLAIN", "DESC", "DESCRIBE", "ANALYZE" -> {
        if (tokens.isWord(first + 1, "FOR")
            || (tokens.isWord(first + 1, "FORMAT") && tokens.isWord(first + 4, "FOR"))) {
          throw needs("PROCESS");
        }
      }
      case "SHOW" -> new ShowPrivileges(tokens, schemas, statement).check();
      case "XA" -> {
        if (tokens.isWord(first + 1, "RECOVER")) {
          throw needs("XA_RECOVER_ADMIN");
        }
      }
      case "LOAD" -> {
        boolean ofFile = tokens.isWord(first + 1, "DATA") || tokens.isWord(first + 1, "XML");
        if (ofFile && !tokens.isWord(first + 2, "LOCAL") && !tokens.isWord(first + 3, "LOCAL")) {
          throw needs("FILE");
        }
      }
      default -> {}
    }
  }

  private void checkDefinition() {
    int object = first + 1;
    if (tokens.isWord(object, "OR")) {
      object += 2;
    }
    boolean ofServer =
        !OF_DATABASES.contains(tokens.word(object))
            && !(tokens.isWord(object, "SPATIAL") && tokens.isWord(object + 1, "INDEX"));
    boolean drops = tokens.isWord(first, "DROP") && tokens.isWord(first + 1, "PREPARE");
    if (ofServer || (!drops && tokens.between(object, behind).hasWord("SONAME", "DIRECTORY"))) {
      throw needs("ADMIN");
    }
    refuseDefiner();
    int what = within(1).find(i -> tokens.isAnyWord(i, DEFINED));
    // the statements of programs are looked at one by one
    if (!tokens.isAnyWord(what, PROGRAMS)) {
      refuseEngine();
    }
  }

  /** Their tables are files of the server, or others' tables. */
  private void refuseEngine() {
    int query = within(1).findWord("SELECT");
    int engine = TableEngines.findOther(tokens, first, query < 0 ? behind : query);
    if (engine >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table of the engine "
              + TableEngines.named(tokens, engine)
              + ", by users without admin",
          "use InnoDB");
    }
  }

  /** A program that runs with somebody else's rights is for those who have them. */
  private void refuseDefiner() {
    int object = within(1).skip(i -> !WITH_DEFINER.contains(tokens.word(i)));
    boolean isOther =
        tokens
            .between(first + 1, object)
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
    refuseDefaultEngine();
    if (tokens.isWord(first + 1, "PASSWORD")
        || tokens.isWord(first + 1, "ROLE")
        || tokens.isWord(first + 1, "RESOURCE")) {
      throw needs("ADMIN");
    }
    boolean role = tokens.isWord(first + 1, "DEFAULT") && tokens.isWord(first + 2, "ROLE");
    if (role || within(1).has(this::setsOfServer)) {
      throw needs("ADMIN");
    }
  }

  private boolean setsOfServer(int i) {
    boolean begins = i == first + 1 || tokens.isPunctuation(i - 1, ',');
    String text = begins ? tokens.text(i).toUpperCase(Locale.ROOT) : "";
    boolean word = text.equals("GLOBAL") || text.startsWith("PERSIST");
    return (word && tokens.kind(i + 1) != TokenKind.OPERATOR)
        || text.startsWith("@@GLOBAL")
        || text.startsWith("@@PERSIST");
  }

  /** Of the session, too: they change what servers write down for others. */
  private void refuseVariables() {
    boolean areOfAdmins =
        within(1)
            .has(
                i ->
                    tokens.depth(i) == tokens.depth(first)
                        && (tokens.isOperator(i + 1, "=") || tokens.isOperator(i + 1, ":="))
                        && !isOfRow(i)
                        && isOfAdmins(variable(i)));
    if (areOfAdmins) {
      throw needs("ADMIN");
    }
  }

  /** {@code NEW.server_id} in a trigger. */
  private boolean isOfRow(int column) {
    return tokens.isPunctuation(column - 1, '.') && tokens.isAnyWord(column - 2, "NEW", "OLD");
  }

  private void refuseDefaultEngine() {
    if (assigned().has(i -> TableEngines.areAssignedOther(tokens, i))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "another engine for tables that name none, by users without admin", "use InnoDB");
    }
  }

  /** What is set, without the statement that it is set for. */
  private TokenRange assigned() {
    boolean ofStatement = tokens.isWord(first + 1, "STATEMENT");
    int end = within(1).skip(i -> !(ofStatement && tokens.isWord(i, "FOR")));
    return tokens.between(first + 1, end);
  }

  /** Lower case, without scope and quotes: sql_mode says whether double ones are of names. */
  private String variable(int token) {
    return tokens.text(token).toLowerCase(Locale.ROOT).replaceAll("^@@(\\w+\\.)?|[`\"]", "");
  }

  /** Servers take letters that are no ASCII for those that they are alike. */
  private static boolean isOfAdmins(String variable) {
    return VARIABLES_OF_ADMINS.stream().anyMatch(each -> isAlike(each, variable))
        || (!ENGINES.contains(variable)
            && ENGINES.stream().anyMatch(each -> isAlike(each, variable)));
  }

  private static boolean isAlike(String ascii, String other) {
    boolean isAlike = ascii.length() == other.length();
    for (int i = 0; isAlike && i < ascii.length(); i++) {
      isAlike = other.charAt(i) > 0x7F || other.charAt(i) == ascii.charAt(i);
    }
    return isAlike;
  }

  /** Expressions of SET are computed as they are: nobody keeps them to the user's own rows. */
  private void refuseCatalogue() {
    if (assigned().hasName(NamedSchemas.INFORMATION_SCHEMA)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "information_schema in SET, by users without admin", "use SELECT … INTO @variable");
    }
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }
}
