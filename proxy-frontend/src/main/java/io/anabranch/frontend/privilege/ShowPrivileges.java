package io.anabranch.frontend.privilege;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
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
          "PROFILE",
          "PROFILES",
          "CLIENT_STATISTICS",
          "INDEX_STATISTICS",
          "TABLE_STATISTICS",
          "USER_STATISTICS");

  private static final Set<String> OF_TABLE =
      Set.of("COLUMNS", "FIELDS", "INDEX", "INDEXES", "KEYS");

  private final StatementTokens tokens;
  private final NamedSchemas schemas;

  ShowPrivileges(StatementTokens tokens, NamedSchemas schemas) {
    this.tokens = tokens;
    this.schemas = schemas;
  }

  /**
   * @throws RefusedException 1227, 1044
   */
  void check() {
    int subject = 1;
    while (tokens.isWord(subject, "FULL")
        || tokens.isWord(subject, "EXTENDED")
        || tokens.isWord(subject, "ALL")) {
      subject++;
    }
    if (tokens.isOneOf(subject, OF_ADMINS)) {
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
    boolean ofTable = tokens.isOneOf(subject, OF_TABLE);
    for (int i = subject + 1; i + 1 < tokens.size(); i++) {
      // what a subquery names is looked at as in other statements
      boolean isOfShow =
          tokens.depth(i) == 0 && (tokens.isWord(i, "FROM") || tokens.isWord(i, "IN"));
      if (isOfShow && !tokens.name(i + 1).isEmpty()) {
        if (!ofTable) {
          schemas.check(tokens.name(i + 1));
        }
        ofTable = false;
      }
    }
  }

  /** SHOW CREATE USER, SHOW CREATE DATABASE [IF NOT EXISTS] name. */
  private void checkCreate(int object) {
    if (tokens.isWord(object, "USER") || tokens.isWord(object, "SERVER")) {
      throw needs("ADMIN");
    }
    if (tokens.isWord(object, "DATABASE") || tokens.isWord(object, "SCHEMA")) {
      boolean isConditional = tokens.isWord(object + 1, "IF") && tokens.size() > object + 4;
      schemas.check(tokens.name(isConditional ? object + 4 : object + 1));
    }
  }

  private static RefusedException needs(String privilege) {
    return ErrorCatalogue.PRIVILEGE_NEEDED.refuse(privilege);
  }
}
