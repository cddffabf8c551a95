package io.anabranch.frontend.command;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What users without {@code admin: true} may not do, although the proxy's own account on the
 * databases may. Looks at tokens alone, so that it holds for statements that nobody parses; where
 * these leave a doubt the statement is refused.
 */
final class Privileges {

  private static final String INFORMATION_SCHEMA = "information_schema";
  private static final Set<String> SYSTEM_SCHEMAS = Set.of("mysql", "performance_schema", "sys");

  /** Tables of information_schema that show what other sessions run. */
  private static final Set<String> OTHERS_SQL = Set.of("processlist", "innodb_trx");

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
  private static final Set<String> SHOWN_TO_ADMINS =
      Set.of("MASTER", "SLAVE", "REPLICA", "REPLICAS", "BINARY", "BINLOG", "RELAYLOG", "ENGINE");

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

  private static final Set<String> BEFORE_TABLE =
      Set.of(
          "FROM",
          "JOIN",
          "STRAIGHT_JOIN",
          "INTO",
          "UPDATE",
          "TABLE",
          "TABLES",
          "EXISTS",
          "REFERENCES",
          "LOW_PRIORITY",
          "DELAYED",
          "IGNORE",
          "QUICK",
          "INSERT",
          "REPLACE",
          "DELETE",
          "TRUNCATE",
          "CALL",
          "HANDLER",
          "VIEW",
          "PROCEDURE",
          "FUNCTION",
          "TRIGGER",
          "EVENT",
          "SEQUENCE",
          "DESCRIBE",
          "EXPLAIN",
          "OJ",
          "TO");
  private static final Set<String> BEFORE_OTHERS =
      Set.of(
          "SELECT",
          "WHERE",
          "GROUP",
          "ORDER",
          "BY",
          "HAVING",
          "SET",
          "VALUES",
          "VALUE",
          "LIMIT",
          "RETURNING",
          "PARTITION",
          "WINDOW",
          "DISTINCT",
          "ALL",
          "IN",
          "RETURN");
  private static final Set<String> FUNCTIONS_WITH_FROM =
      Set.of("EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "MID");

  private final SqlTokens tokens;

  /** The tokens but for the marks of comments: what stands in executable comments may run. */
  private final int[] significant;

  private final int count;
  private final String first;
  private final Session session;
  private final Predicate<String> own;

  private Privileges(SourceText source, Session session, Predicate<String> own) {
    this.tokens = source.tokens();
    this.session = session;
    this.own = own;
    this.significant = new int[tokens.size()];
    int kept = 0;
    for (int i = 0; i < tokens.size(); i++) {
      switch (tokens.kind(i)) {
        case EXECUTABLE_START, EXECUTABLE_END, OPTIMIZER_HINT -> {}
        default -> {
          if (kept > 0 || !tokens.isPunctuation(i, '(')) {
            significant[kept++] = i;
          }
        }
      }
    }
    this.count = kept;
    this.first = word(0);
  }

  /**
   * @param own whether a name is the current logical database's, or its schema's on the server
   * @throws RefusedException 1227, 1044, 1142
   */
  static void check(SourceText source, Session session, Predicate<String> own) {
    if (session.isRestricted()) {
      new Privileges(source, session, own).check();
    }
  }

  private void check() {
    checkStatement();
    boolean compound = isCompound();
    for (int i = 0; i < count; i++) {
      if (compound && WORDS_OF_ADMINS.contains(word(i))) {
        throw needs("ADMIN");
      }
      boolean file = isWord(i, "OUTFILE") || isWord(i, "DUMPFILE");
      if ((file && isWord(i - 1, "INTO"))
          || (name(i).equals("load_file") && isPunctuation(i + 1, '('))) {
        throw needs("FILE");
      }
      if (isQualifier(i)) {
        checkQualifier(i);
      }
    }
  }

  /** Whether other statements may stand inside. */
  private boolean isCompound() {
    if (!first.equals("CREATE") && !first.equals("ALTER")) {
      return !PLAIN.contains(first) || isWord(1, "STATEMENT") || isWord(1, "NOT");
    }
    for (int i = 1; i < count && !isWord(1, "TABLE") && !isWord(1, "TEMPORARY"); i++) {
      if (tokens.depth(significant[i]) == 0 && WITH_BODY.contains(word(i))) {
        return true;
      }
    }
    return false;
  }

  private void checkStatement() {
    if (FIRST_WORDS_OF_ADMINS.contains(first)
        || (first.equals("START") && !isWord(1, "TRANSACTION"))) {
      throw needs("ADMIN");
    }
    switch (first) {
      case "CREATE", "ALTER", "DROP", "RENAME" -> checkDefinition();
      case "SET" -> checkSet();
      case "SHOW" -> checkShow();
      case "LOAD" -> {
        if ((isWord(1, "DATA") || isWord(1, "XML")) && !isWord(2, "LOCAL") && !isWord(3, "LOCAL")) {
          throw needs("FILE");
        }
      }
      case "PREPARE" -> throw textOfText("PREPARE");
      case "EXECUTE" -> {
        if (isWord(1, "IMMEDIATE")) {
          throw textOfText("EXECUTE IMMEDIATE");
        }
      }
      default -> {}
    }
  }

  private void checkDefinition() {
    int object = 1;
    if (isWord(object, "OR")) {
      object += 2;
    }
    if (isWord(object, "UNDO")) {
      object++;
    }
    boolean ofServer = OBJECTS_OF_ADMINS.contains(word(object));
    boolean drops = first.equals("DROP") && isWord(1, "PREPARE");
    for (int i = object; i < count && !drops; i++) {
      ofServer |= isWord(i, "SONAME") || isWord(i, "DIRECTORY");
    }
    if (ofServer) {
      throw needs("ADMIN");
    }
  }

  private void checkSet() {
    if (isWord(1, "PASSWORD") || isWord(1, "ROLE") || isWord(1, "RESOURCE")) {
      throw needs("ADMIN");
    }
    for (int i = 1; i < count; i++) {
      boolean begins = i == 1 || isPunctuation(i - 1, ',');
      String text = begins ? tokens.text(significant[i]).toUpperCase(Locale.ROOT) : "";
      boolean word = text.equals("GLOBAL") || text.startsWith("PERSIST");
      boolean ofServer = word && !isOperator(i + 1);
      boolean role = i == 1 && text.equals("DEFAULT") && isWord(2, "ROLE");
      if (ofServer || role || text.startsWith("@@GLOBAL") || text.startsWith("@@PERSIST")) {
        throw needs("ADMIN");
      }
    }
  }

  private boolean isOperator(int i) {
    return i < count && tokens.kind(significant[i]) == TokenKind.OPERATOR;
  }

  private void checkShow() {
    int subject = 1;
    while (isWord(subject, "FULL") || isWord(subject, "EXTENDED") || isWord(subject, "ALL")) {
      subject++;
    }
    String shown = word(subject);
    if (SHOWN_TO_ADMINS.contains(shown)
        || (shown.equals("CREATE") && isWord(subject + 1, "USER"))) {
      throw needs("ADMIN");
    }
    boolean ofTable = Set.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS").contains(shown);
    for (int i = subject + 1; i + 1 < count; i++) {
      if ((isWord(i, "FROM") || isWord(i, "IN")) && !name(i + 1).isEmpty()) {
        if (!ofTable) {
          checkSchema(name(i + 1));
        }
        ofTable = false;
      }
    }
  }

  // ---------------------------------------------------------------- qualified names

  private boolean isQualifier(int i) {
    return !name(i).isEmpty()
        && !isPunctuation(i - 1, '.')
        && i + 1 < count
        && tokens.text(significant[i + 1]).startsWith(".")
        && (!isPunctuation(i + 1, '.') || !name(i + 2).isEmpty());
  }

  private void checkQualifier(int i) {
    String qualifier = name(i);
    if (qualifier.equals(INFORMATION_SCHEMA)) {
      if (OTHERS_SQL.contains(name(i + 2))) {
        throw needs("PROCESS");
      }
    } else if (SYSTEM_SCHEMAS.contains(qualifier)
        || isPunctuation(i + 3, '.')
        || isPunctuation(i + 3, '(')
        || namesTable(i)
        || !isDeclared(qualifier)) {
      checkSchema(qualifier);
    }
  }

  /** Whether the statement has the name on its own somewhere: as a table, or as an alias. */
  private boolean isDeclared(String qualifier) {
    if (first.equals("CREATE") && (qualifier.equals("new") || qualifier.equals("old"))) {
      return true;
    }
    for (int i = 0; i < count; i++) {
      if (name(i).equals(qualifier) && !isPunctuation(i + 1, '.')) {
        return true;
      }
    }
    return false;
  }

  /** Whether a table, or the schema of one, is named at {@code i}. */
  private boolean namesTable(int i) {
    String before = word(i - 1);
    if (BEFORE_TABLE.contains(before)) {
      boolean key = before.equals("UPDATE") && isWord(i - 2, "KEY");
      return !key && !isFunctionFrom(i - 1);
    }
    boolean defines = first.equals("CREATE") || first.equals("ALTER");
    if (before.equals("LIKE")) {
      return defines && !isWord(1, "VIEW") && i < 8;
    }
    if (before.equals("ON")) {
      return (defines || first.equals("DROP")) && !hasBefore(i, "SELECT");
    }
    return (isPunctuation(i - 1, ',') || isPunctuation(i - 1, '(')) && isInTableList(i - 1);
  }

  private boolean hasBefore(int i, String wanted) {
    for (int before = 0; before < i; before++) {
      if (isWord(before, wanted)) {
        return true;
      }
    }
    return false;
  }

  private boolean isInTableList(int i) {
    int depth = tokens.depth(significant[i]);
    if (isPunctuation(i, '(')) {
      String before = word(i - 1);
      return BEFORE_TABLE.contains(before)
          ? before.equals("FROM") || before.endsWith("JOIN")
          : (isPunctuation(i - 1, ',') || isPunctuation(i - 1, '(')) && isInTableList(i - 1);
    }
    for (int before = i - 1; before >= 0; before--) {
      int at = tokens.depth(significant[before]);
      if (at < depth) {
        return isPunctuation(before, '(') && isInTableList(before);
      }
      if (at == depth && BEFORE_OTHERS.contains(word(before))) {
        return false;
      }
      if (at == depth && BEFORE_TABLE.contains(word(before))) {
        boolean key = isWord(before, "UPDATE") && isWord(before - 1, "KEY");
        return !key && !isFunctionFrom(before);
      }
    }
    return false;
  }

  private boolean isFunctionFrom(int from) {
    if (!isWord(from, "FROM")) {
      return false;
    }
    int depth = tokens.depth(significant[from]);
    for (int i = from - 1; i > 0; i--) {
      if (tokens.depth(significant[i]) < depth) {
        return FUNCTIONS_WITH_FROM.contains(word(i - 1)) && isPunctuation(i, '(');
      }
      if (isWord(i, "SELECT") || isWord(i, "DELETE") || isWord(i, "SHOW")) {
        return false;
      }
    }
    return false;
  }

  private void checkSchema(String schema) {
    if (schema.equals(INFORMATION_SCHEMA) || own.test(schema)) {
      return;
    }
    boolean logical = session.deployment().backend(schema) != null;
    if (logical && session.isPermitted(schema)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table of another logical database (" + schema + ")", "USE that database first");
    }
    throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
        session.user().name(), session.clientHost(), schema);
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }

  private static RefusedException textOfText(String construct) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        construct + " of users without admin", "let the driver prepare the statement");
  }

  // ---------------------------------------------------------------- tokens

  /** The unquoted word in upper case; empty for other tokens. */
  private String word(int i) {
    return i >= 0 && i < count && tokens.kind(significant[i]) == TokenKind.WORD
        ? tokens.text(significant[i]).toUpperCase(Locale.ROOT)
        : "";
  }

  private boolean isWord(int i, String word) {
    return i >= 0 && i < count && tokens.isWord(significant[i], word);
  }

  private boolean isPunctuation(int i, char c) {
    return i >= 0 && i < count && tokens.isPunctuation(significant[i], c);
  }

  /** The name in lower case; empty for other tokens. */
  private String name(int i) {
    return i >= 0 && i < count && tokens.isName(significant[i])
        ? tokens.name(significant[i]).toLowerCase(Locale.ROOT)
        : "";
  }
}
