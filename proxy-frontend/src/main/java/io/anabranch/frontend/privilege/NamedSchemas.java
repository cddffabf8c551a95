package io.anabranch.frontend.privilege;

import io.anabranch.frontend.session.Session;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The databases that a statement names: each must be the user's own. A name of two parts may be an
 * alias and its column; where the tokens leave that in doubt the statement is refused.
 */
final class NamedSchemas {

  static final String INFORMATION_SCHEMA = "information_schema";
  private static final Set<String> SYSTEM_SCHEMAS = Set.of("mysql", "performance_schema", "sys");

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

  private final StatementTokens tokens;
  private final Session session;
  private final Predicate<String> own;

  /**
   * @param own whether a name is the current logical database's, or its schema's on the server
   */
  NamedSchemas(StatementTokens tokens, Session session, Predicate<String> own) {
    this.tokens = tokens;
    this.session = session;
    this.own = own;
  }

  /**
   * Looks at the token, if it is the first part of a name of several.
   *
   * @throws io.anabranch.rules.error.RefusedException 1044
   */
  void checkAt(int i) {
    if (isQualifier(i)) {
      checkQualifier(i);
    }
  }

  private boolean isQualifier(int i) {
    return !tokens.name(i).isEmpty()
        && !tokens.isPunctuation(i - 1, '.')
        && i + 1 < tokens.size()
        && tokens.text(i + 1).startsWith(".")
        && (!tokens.isPunctuation(i + 1, '.') || !tokens.name(i + 2).isEmpty());
  }

  private void checkQualifier(int i) {
    String qualifier = tokens.name(i);
    if (SYSTEM_SCHEMAS.contains(qualifier)
        || tokens.isPunctuation(i + 3, '.')
        || tokens.isPunctuation(i + 3, '(')
        || namesTable(i)
        || !isDeclared(qualifier)) {
      check(qualifier);
    }
  }

  /** Whether the statement has the name on its own somewhere: as a table, or as an alias. */
  private boolean isDeclared(String qualifier) {
    if (tokens.isWord(0, "CREATE") && (qualifier.equals("new") || qualifier.equals("old"))) {
      return true;
    }
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.name(i).equals(qualifier) && !tokens.isPunctuation(i + 1, '.')) {
        return true;
      }
    }
    return false;
  }

  /** Whether a table, or the schema of one, is named at {@code i}. */
  private boolean namesTable(int i) {
    String before = tokens.word(i - 1);
    if (BEFORE_TABLE.contains(before)) {
      boolean key = before.equals("UPDATE") && tokens.isWord(i - 2, "KEY");
      return !key && !isFunctionFrom(i - 1);
    }
    boolean defines = tokens.isWord(0, "CREATE") || tokens.isWord(0, "ALTER");
    if (before.equals("LIKE")) {
      return defines && !tokens.isWord(1, "VIEW") && i < 8;
    }
    if (before.equals("ON")) {
      return (defines || tokens.isWord(0, "DROP")) && !hasBefore(i, "SELECT");
    }
    return (tokens.isPunctuation(i - 1, ',') || tokens.isPunctuation(i - 1, '('))
        && isInTableList(i - 1);
  }

  private boolean hasBefore(int i, String wanted) {
    for (int before = 0; before < i; before++) {
      if (tokens.isWord(before, wanted)) {
        return true;
      }
    }
    return false;
  }

  private boolean isInTableList(int i) {
    int depth = tokens.depth(i);
    if (tokens.isPunctuation(i, '(')) {
      String before = tokens.word(i - 1);
      return BEFORE_TABLE.contains(before)
          ? before.equals("FROM") || before.endsWith("JOIN")
          : (tokens.isPunctuation(i - 1, ',') || tokens.isPunctuation(i - 1, '('))
              && isInTableList(i - 1);
    }
    for (int before = i - 1; before >= 0; before--) {
      int at = tokens.depth(before);
      if (at < depth) {
        return tokens.isPunctuation(before, '(') && isInTableList(before);
      }
      if (at == depth && BEFORE_OTHERS.contains(tokens.word(before))) {
        return false;
      }
      if (at == depth && BEFORE_TABLE.contains(tokens.word(before))) {
        boolean key = tokens.isWord(before, "UPDATE") && tokens.isWord(before - 1, "KEY");
        return !key && !isFunctionFrom(before);
      }
    }
    return false;
  }

  private boolean isFunctionFrom(int from) {
    if (!tokens.isWord(from, "FROM")) {
      return false;
    }
    int depth = tokens.depth(from);
    for (int i = from - 1; i > 0; i--) {
      if (tokens.depth(i) < depth) {
        return FUNCTIONS_WITH_FROM.contains(tokens.word(i - 1)) && tokens.isPunctuation(i, '(');
      }
      if (tokens.isWord(i, "SELECT") || tokens.isWord(i, "DELETE") || tokens.isWord(i, "SHOW")) {
        return false;
      }
    }
    return false;
  }

  /**
   * @param schema in lower case; the planner looks after {@code information_schema}
   */
  void check(String schema) {
    if (schema.equals(INFORMATION_SCHEMA) || own.test(schema)) {
      return;
    }
    boolean logical = session.deployment().backend(schema) != null;
    if (logical && session.database().isPermitted(schema)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a table of another logical database (" + schema + ")", "USE that database first");
    }
    throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
        session.user().name(), session.clientHost(), schema);
  }
}
