package io.anabranch.frontend.privilege;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.List;
import java.util.Set;

/** SHOW by users who are kept to their databases. */
final class ShowPrivileges {

  /** Of the server, or of other users. */
  private static final Set<String> OF_ADMINS =
      Set.of(
          "MASTER",
          "SLAVE",
          "REPLICA",
          "REPLICAS",
          "BINARY",
          "BINLOG",
          "RELAYLOG",
          "ENGINE",
          "EXPLAIN",
          "ANALYZE",
          "LIBRARY",
          "PROFILE",
          "PROFILES",
          "CLIENT_STATISTICS",
          "INDEX_STATISTICS",
          "TABLE_STATISTICS",
          "USER_STATISTICS");

  private static final Set<String> OF_TABLE =
      Set.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS");

  /** Their answers have nothing of other databases or users in them, whoever gives them. */
  private static final Set<String> OF_ALL =
      Set.of(
          "WARNINGS",
          "ERRORS",
          "COUNT",
          "COLUMNS",
          "FIELDS",
          "INDEX",
          "INDEXES",
          "KEYS",
          "TABLES",
          "TABLE",
          "TRIGGERS",
          "CREATE",
          "VARIABLES",
          "STATUS",
          "SESSION",
          "LOCAL",
          "COLLATION",
          "CHARACTER",
          "CHARSET",
          "ENGINES");

  private final SqlTokens tokens;
  private final NamedSchemas schemas;
  private final int first;
  private final int behind;

  /**
   * @param statement which of the tokens are its own
   */
  ShowPrivileges(SqlTokens tokens, NamedSchemas schemas, Span statement) {
    this.tokens = tokens;
    this.schemas = schemas;
    this.first = statement.first();
    this.behind = statement.behind();
  }

  private int subject() {
    return tokens.between(first + 1, behind).skipWords("FULL", "EXTENDED", "ALL");
  }

  /**
   * In a program, whose answers nobody looks at.
   *
   * @throws RefusedException 1227
   */
  void checkStored() {
    if (!OF_ALL.contains(tokens.word(subject()))) {
      throw needs("ADMIN");
    }
  }

  /**
   * @throws RefusedException 1227, 1044
   */
  void check() {
    int subject = subject();
    if (OF_ADMINS.contains(tokens.word(subject))) {
      throw needs("ADMIN");
    }
    if (tokens.isWord(subject, "CREATE")) {
      checkCreate(subject + 1);
    }
    boolean isOpen = tokens.isWord(subject, "OPEN");
    if (isOpen && !tokens.isWord(subject + 2, "FROM") && !tokens.isWord(subject + 2, "IN")) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SHOW OPEN TABLES of all databases, by users without admin",
          "name one with SHOW OPEN TABLES FROM");
    }
    boolean ofTable = OF_TABLE.contains(tokens.word(subject));
    // what a subquery names is looked at as in other statements
    List<Integer> schemasOrTables =
        tokens
            .between(subject + 1, behind)
            .where(
                i ->
                    tokens.depth(i) == 0
                        && tokens.isAnyWord(i, "FROM", "IN")
                        && tokens.isName(i + 1));
    schemasOrTables.stream()
        .skip(ofTable ? 1 : 0)
        .forEach(i -> schemas.check(tokens.lowerName(i + 1)));
  }

  /** SHOW CREATE USER, SHOW CREATE DATABASE [IF NOT EXISTS] name. */
  private void checkCreate(int object) {
    if (tokens.isWord(object, "USER") || tokens.isWord(object, "SERVER")) {
      throw needs("ADMIN");
    }
    if (tokens.isWord(object, "DATABASE") || tokens.isWord(object, "SCHEMA")) {
      boolean isConditional = tokens.isWord(object + 1, "IF") && behind > object + 4;
      schemas.check(tokens.lowerName(isConditional ? object + 4 : object + 1));
    }
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }
}
