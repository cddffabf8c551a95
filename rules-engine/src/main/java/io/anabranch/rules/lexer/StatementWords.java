package io.anabranch.rules.lexer;

import org.jspecify.annotations.Nullable;

/**
 * Leading words of a statement, by offsets, and what they say about its kind. Reused; owned by a
 * {@link SqlScanner}.
 */
final class StatementWords {

  private static final int KEPT = 16;

  /** Of CREATE, ALTER, BEGIN, FOR, LOOP, WHILE, REPEAT, IF, CASE. */
  private static final String FIRST_LETTERS = "cabflwri";

  private byte[] sql = {};
  private final int[] starts = new int[KEPT];
  private final int[] ends = new int[KEPT];
  private int count;
  private boolean mayHaveBody;
  private boolean opensWith;

  /** Of the statement behind a WITH clause; OTHER before it is seen. */
  private StatementKind behindWith = StatementKind.OTHER;

  /** Of the statement behind the last {@code SET STATEMENT … FOR}; null: there is none. */
  private @Nullable StatementWords inner;

  void reset(byte[] text) {
    sql = text;
    inner = null;
    count = 0;
    mayHaveBody = false;
    opensWith = false;
    behindWith = StatementKind.OTHER;
  }

  /** Whether its first word allows for statements inside. */
  boolean mayHaveBody() {
    return inner == null ? mayHaveBody : inner.mayHaveBody();
  }

  int start(int word) {
    return inner == null ? starts[word] : inner.start(word);
  }

  int end(int word) {
    return inner == null ? ends[word] : inner.end(word);
  }

  /**
   * @param depth open parentheses
   */
  void add(int from, int to, int depth) {
    if (inner != null) {
      addInner(inner, from, to, depth);
    } else if (depth == 0 && isForOfSetStatement(from, to)) {
      inner = new StatementWords();
      inner.reset(sql);
    }
    if (count == 0) {
      int first = sql[from] | 0x20;
      mayHaveBody = FIRST_LETTERS.indexOf(first) >= 0 && opens(from, to);
      opensWith = matches(sql, from, to, "WITH");
    } else if (opensWith && depth == 0 && behindWith == StatementKind.OTHER) {
      behindWith = behindWith(from, to);
    }
    if (count < KEPT) {
      starts[count] = from;
      ends[count] = to;
      count++;
    }
  }

  /** One within another begins anew: nobody asks about those between. */
  private void addInner(StatementWords inner, int from, int to, int depth) {
    if (depth == 0 && inner.isForOfSetStatement(from, to)) {
      inner.reset(sql);
    } else {
      inner.add(from, to, depth);
    }
  }

  private boolean isForOfSetStatement(int from, int to) {
    return count > 2 && is(0, "SET") && is(1, "STATEMENT") && matches(sql, from, to, "FOR");
  }

  /** What begins with this word; FOR ends a query in parentheses, UPDATE may follow it. */
  private StatementKind behindWith(int from, int to) {
    if (matches(sql, from, to, "UPDATE")) {
      return StatementKind.UPDATE;
    }
    if (matches(sql, from, to, "DELETE")) {
      return StatementKind.DELETE;
    }
    return matches(sql, from, to, "SELECT") || matches(sql, from, to, "FOR")
        ? StatementKind.QUERY_EXPRESSION
        : StatementKind.OTHER;
  }

  private boolean opens(int from, int to) {
    return matches(sql, from, to, "CREATE")
        || matches(sql, from, to, "ALTER")
        || matches(sql, from, to, "BEGIN")
        || isBlockWord(from, to);
  }

  private boolean isBlockWord(int from, int to) {
    return matches(sql, from, to, "FOR")
        || matches(sql, from, to, "LOOP")
        || matches(sql, from, to, "WHILE")
        || matches(sql, from, to, "REPEAT")
        || matches(sql, from, to, "IF")
        || matches(sql, from, to, "CASE");
  }

  boolean is(int word, String upperCase) {
    return word < count && matches(sql, starts[word], ends[word], upperCase);
  }

  /** Whether the bytes spell {@code upperCase} without regard to case. */
  static boolean matches(byte[] text, int from, int to, String upperCase) {
    int length = to - from;
    if (length != upperCase.length()) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      int b = text[from + i];
      if (b >= 'a' && b <= 'z') {
        b -= 32;
      }
      if (b != upperCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the only word so far begins one of MariaDB's blocks. */
  boolean isBlock() {
    return inner != null ? inner.isBlock() : count == 1 && isBlockWord(starts[0], ends[0]);
  }

  /** Whether the words so far are MariaDB's {@code BEGIN NOT}, which ATOMIC must follow. */
  boolean startsCompound() {
    return inner != null ? inner.startsCompound() : count == 2 && is(0, "BEGIN") && is(1, "NOT");
  }

  /** Whether statements follow inside: a stored routine, trigger or event is made. */
  boolean opensBody() {
    if (inner != null) {
      return inner.opensBody();
    }
    if (!is(0, "CREATE") && !is(0, "ALTER")) {
      return false;
    }
    for (int i = 1; i < count; i++) {
      if (is(i, "PROCEDURE") || is(i, "FUNCTION") || is(i, "TRIGGER") || is(i, "EVENT")) {
        return true;
      }
      if (is(i, "TABLE") || is(i, "VIEW") || is(i, "INDEX") || is(i, "DATABASE")) {
        return false;
      }
    }
    return false;
  }

  StatementKind kind(boolean parenthesised) {
    if (count == 0) {
      return StatementKind.OTHER;
    }
    if (parenthesised) {
      return StatementKind.QUERY_EXPRESSION;
    }
    return switch (sql[starts[0]] | 0x20) {
      case 'a' -> ofA();
      case 'b' -> is(0, "BEGIN") && !is(1, "NOT") ? StatementKind.BEGIN : StatementKind.OTHER;
      case 'c' -> ofC();
      case 'd' -> ofD();
      case 'e' -> ofE();
      case 'f' -> is(0, "FLUSH") ? StatementKind.FLUSH : StatementKind.OTHER;
      case 'g' -> is(0, "GRANT") ? StatementKind.ACCOUNT : StatementKind.OTHER;
      case 'h' -> is(0, "HANDLER") ? StatementKind.HANDLER : StatementKind.OTHER;
      case 'i' -> is(0, "INSERT") ? StatementKind.INSERT : StatementKind.OTHER;
      case 'k' -> is(0, "KILL") ? StatementKind.KILL : StatementKind.OTHER;
      case 'l' -> ofL();
      case 'o' -> is(0, "OPTIMIZE") ? StatementKind.TABLE_MAINTENANCE : StatementKind.OTHER;
      case 'p' -> ofP();
      case 'r' -> ofR();
      case 's' -> ofS();
      case 't' -> ofT();
      case 'u' -> ofU();
      case 'v' -> is(0, "VALUES") ? StatementKind.QUERY_EXPRESSION : StatementKind.OTHER;
      case 'w' -> ofWith();
      case 'x' -> is(0, "XA") ? StatementKind.XA : StatementKind.OTHER;
      default -> StatementKind.OTHER;
    };
  }

  private StatementKind ofA() {
    if (is(0, "ALTER")) {
      if (is(1, "READWRITE_SPLITTING")) {
        return StatementKind.ALTER_GROUP;
      }
      return namesAccount(1) ? StatementKind.ACCOUNT : StatementKind.ALTER;
    }
    if (is(0, "ANALYZE")) {
      boolean ofTable = is(1, "TABLE") || is(1, "TABLES") || isLocalPrefix(1);
      return ofTable ? StatementKind.TABLE_MAINTENANCE : StatementKind.DESCRIBE;
    }
    return StatementKind.OTHER;
  }

  private boolean isLocalPrefix(int word) {
    return is(word, "LOCAL") || is(word, "NO_WRITE_TO_BINLOG");
  }

  private StatementKind ofC() {
    if (is(0, "CREATE")) {
      int object = is(1, "OR") ? 3 : 1;
      return namesAccount(object) ? StatementKind.ACCOUNT : StatementKind.CREATE;
    }
    if (is(0, "COMMIT")) {
      return isJob(1) ? StatementKind.OTHER : StatementKind.COMMIT;
    }
    if (is(0, "CALL")) {
      return StatementKind.CALL;
    }
    return (is(0, "CHECK") && !isJob(1)) || is(0, "CHECKSUM")
        ? StatementKind.TABLE_MAINTENANCE
        : StatementKind.OTHER;
  }

  /** Of ShardingSphere's, which moves rows: no server knows it. */
  private boolean isJob(int word) {
    return is(word, "MIGRATION") || is(word, "SCALING");
  }

  private boolean namesAccount(int word) {
    return is(word, "USER") || is(word, "ROLE");
  }

  private StatementKind ofD() {
    if (is(0, "DELETE")) {
      return StatementKind.DELETE;
    }
    if (is(0, "DROP")) {
      if (is(1, "PREPARE")) {
        return StatementKind.DEALLOCATE;
      }
      return namesAccount(1) ? StatementKind.ACCOUNT : StatementKind.DROP;
    }
    if (is(0, "DESC") || is(0, "DESCRIBE")) {
      return StatementKind.DESCRIBE;
    }
    if (is(0, "DO")) {
      return StatementKind.DO;
    }
    return is(0, "DEALLOCATE") ? StatementKind.DEALLOCATE : StatementKind.OTHER;
  }

  private StatementKind ofE() {
    if (is(0, "EXPLAIN")) {
      return is(1, "ROUTE") ? StatementKind.EXPLAIN_ROUTE : StatementKind.DESCRIBE;
    }
    return is(0, "EXECUTE") ? StatementKind.EXECUTE : StatementKind.OTHER;
  }

  private StatementKind ofL() {
    if (is(0, "LOCK")) {
      return is(1, "TABLES") || is(1, "TABLE") ? StatementKind.LOCK_TABLES : StatementKind.OTHER;
    }
    return is(0, "LOAD") && (is(1, "DATA") || is(1, "XML"))
        ? StatementKind.LOAD_DATA
        : StatementKind.OTHER;
  }

  private StatementKind ofP() {
    if (is(0, "PREPARE")) {
      boolean isOfChanges = is(1, "DISTSQL") && count == 2;
      return isOfChanges ? StatementKind.OTHER : StatementKind.PREPARE;
    }
    return is(0, "PREVIEW") ? StatementKind.EXPLAIN_ROUTE : StatementKind.OTHER;
  }

  private StatementKind ofR() {
    if (is(0, "REPLACE")) {
      return StatementKind.REPLACE;
    }
    if (is(0, "ROLLBACK")) {
      boolean toSavepoint = is(1, "TO") || (is(1, "WORK") && is(2, "TO"));
      if (isJob(1)) {
        return StatementKind.OTHER;
      }
      return toSavepoint ? StatementKind.SAVEPOINT : StatementKind.ROLLBACK;
    }
    if (is(0, "RELEASE")) {
      return is(1, "SAVEPOINT") ? StatementKind.SAVEPOINT : StatementKind.OTHER;
    }
    if (is(0, "RENAME")) {
      return namesAccount(1) ? StatementKind.ACCOUNT : StatementKind.RENAME;
    }
    if (is(0, "REVOKE")) {
      return StatementKind.ACCOUNT;
    }
    return is(0, "REPAIR") ? StatementKind.TABLE_MAINTENANCE : StatementKind.OTHER;
  }

  private StatementKind ofS() {
    if (is(0, "SELECT")) {
      return StatementKind.SELECT;
    }
    if (is(0, "SET")) {
      boolean ofAccount = is(1, "PASSWORD") || is(1, "ROLE") || (is(1, "DEFAULT") && is(2, "ROLE"));
      return ofAccount ? StatementKind.ACCOUNT : StatementKind.SET;
    }
    if (is(0, "SHOW")) {
      return StatementKind.SHOW;
    }
    if (is(0, "START")) {
      return is(1, "TRANSACTION") ? StatementKind.BEGIN : StatementKind.OTHER;
    }
    return is(0, "SAVEPOINT") ? StatementKind.SAVEPOINT : StatementKind.OTHER;
  }

  private StatementKind ofT() {
    if (is(0, "TRUNCATE")) {
      return StatementKind.TRUNCATE;
    }
    return is(0, "TABLE") ? StatementKind.QUERY_EXPRESSION : StatementKind.OTHER;
  }

  private StatementKind ofU() {
    if (is(0, "UPDATE")) {
      return StatementKind.UPDATE;
    }
    if (is(0, "USE")) {
      return StatementKind.USE;
    }
    return is(0, "UNLOCK") && (is(1, "TABLES") || is(1, "TABLE"))
        ? StatementKind.UNLOCK_TABLES
        : StatementKind.OTHER;
  }

  /** A WITH clause may also stand in front of UPDATE and DELETE. */
  private StatementKind ofWith() {
    boolean writes = behindWith == StatementKind.UPDATE || behindWith == StatementKind.DELETE;
    if (writes) {
      return behindWith;
    }
    return opensWith ? StatementKind.QUERY_EXPRESSION : StatementKind.OTHER;
  }
}
