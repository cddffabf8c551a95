package io.anabranch.rules.lexer;

/** What a statement is, by its leading keywords alone. */
public enum StatementKind {
  SELECT,
  /** A parenthesised query, a VALUES or TABLE statement, a WITH clause: planned like SELECT. */
  QUERY_EXPRESSION,
  INSERT,
  REPLACE,
  UPDATE,
  DELETE,
  CREATE,
  ALTER,
  DROP,
  RENAME,
  TRUNCATE,
  SHOW,
  /** DESC, DESCRIBE, EXPLAIN of a table or a statement. */
  DESCRIBE,
  /** {@code EXPLAIN ROUTE statement}, {@code PREVIEW statement}: ours. */
  EXPLAIN_ROUTE,
  /** {@code ALTER READWRITE_SPLITTING RULE …}: ours. */
  ALTER_GROUP,
  SET,
  USE,
  /** BEGIN, START TRANSACTION. */
  BEGIN,
  COMMIT,
  ROLLBACK,
  /** SAVEPOINT, ROLLBACK TO, RELEASE SAVEPOINT. */
  SAVEPOINT,
  XA,
  LOCK_TABLES,
  UNLOCK_TABLES,
  PREPARE,
  EXECUTE,
  DEALLOCATE,
  CALL,
  DO,
  HANDLER,
  LOAD_DATA,
  KILL,
  FLUSH,
  /** ANALYZE, CHECK, CHECKSUM, OPTIMIZE, REPAIR TABLE. */
  TABLE_MAINTENANCE,
  /** GRANT, REVOKE, CREATE/ALTER/DROP USER and ROLE, SET PASSWORD. */
  ACCOUNT,
  /** Nothing but blanks and comments. */
  EMPTY,
  OTHER;

  /** Whether one plan is for all such statements that differ in literals and comments alone. */
  public boolean sharesPlans() {
    return switch (this) {
      case SELECT, QUERY_EXPRESSION, INSERT, REPLACE, UPDATE, DELETE, CALL, DO -> true;
      default -> false;
    };
  }

  /** Whether it is INSERT or REPLACE. */
  public boolean inserts() {
    return this == INSERT || this == REPLACE;
  }
}
