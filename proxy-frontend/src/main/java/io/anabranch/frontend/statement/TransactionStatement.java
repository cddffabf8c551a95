package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.ReservedWords;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.TokenKind;
import org.jspecify.annotations.Nullable;

/**
 * BEGIN, COMMIT, ROLLBACK and savepoints, read.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/commit.html">START TRANSACTION, COMMIT,
 * and ROLLBACK</a>.
 */
public sealed interface TransactionStatement {

  /**
   * @param readOnly null where not said
   */
  record Begin(@Nullable Boolean readOnly, boolean consistentSnapshot)
      implements TransactionStatement {}

  record Commit(Ending ending) implements TransactionStatement {}

  record Rollback(Ending ending) implements TransactionStatement {}

  /**
   * What is said of the time after COMMIT or ROLLBACK.
   *
   * @param chain a new transaction begins at once; null: what {@code completion_type} says
   * @param release the connection is closed afterwards; null likewise
   */
  record Ending(@Nullable Boolean chain, @Nullable Boolean release) {}

  record Savepoint(String name) implements TransactionStatement {}

  record RollbackTo(String name) implements TransactionStatement {}

  record ReleaseSavepoint(String name) implements TransactionStatement {}

  /** Whether the last word is a name that some servers take only in quotes. */
  static boolean mayBeMisnamed(SourceText source) {
    var tokens = source.tokens();
    int last = tokens.size() - 1;
    return last > 0
        && tokens.kind(last) == TokenKind.WORD
        && ReservedWords.mayHave(tokens.text(last));
  }

  /** Reads the statement; null if it is not of one of these forms: a syntax error. */
  static @Nullable TransactionStatement parse(SourceText source) {
    var cursor = new TokenCursor(source);
    if (cursor.accept("BEGIN")) {
      cursor.accept("WORK");
      return cursor.atEnd() ? new Begin(null, false) : null;
    }
    if (cursor.accept("START", "TRANSACTION")) {
      return begin(cursor);
    }
    if (cursor.accept("COMMIT")) {
      cursor.accept("WORK");
      return ending(cursor, true);
    }
    if (cursor.accept("SAVEPOINT")) {
      String name = lastName(cursor);
      return name == null ? null : new Savepoint(name);
    }
    if (cursor.accept("RELEASE", "SAVEPOINT")) {
      String name = lastName(cursor);
      return name == null ? null : new ReleaseSavepoint(name);
    }
    if (!cursor.accept("ROLLBACK")) {
      return null;
    }
    cursor.accept("WORK");
    if (cursor.accept("TO")) {
      // SAVEPOINT is a name, too
      if (cursor.accept("SAVEPOINT") && cursor.atEnd()) {
        return new RollbackTo("SAVEPOINT");
      }
      String name = lastName(cursor);
      return name == null ? null : new RollbackTo(name);
    }
    return ending(cursor, false);
  }

  private static @Nullable Begin begin(TokenCursor cursor) {
    if (cursor.atEnd()) {
      return new Begin(null, false);
    }
    Boolean readOnly = null;
    boolean snapshot = false;
    do {
      if (cursor.accept("READ", "ONLY")) {
        if (readOnly != null) {
          return null;
        }
        readOnly = true;
      } else if (cursor.accept("READ", "WRITE")) {
        if (readOnly != null) {
          return null;
        }
        readOnly = false;
      } else if (cursor.accept("WITH", "CONSISTENT", "SNAPSHOT")) {
        snapshot = true;
      } else {
        return null;
      }
    } while (cursor.acceptPunctuation(','));
    return cursor.atEnd() ? new Begin(readOnly, snapshot) : null;
  }

  private static @Nullable TransactionStatement ending(TokenCursor cursor, boolean commit) {
    Boolean chain = null;
    Boolean release = null;
    if (cursor.accept("AND", "NO", "CHAIN")) {
      chain = false;
    } else if (cursor.accept("AND", "CHAIN")) {
      chain = true;
    }
    if (cursor.accept("NO", "RELEASE")) {
      release = false;
    } else if (cursor.accept("RELEASE")) {
      release = true;
    }
    boolean isBoth = Boolean.TRUE.equals(chain) && Boolean.TRUE.equals(release);
    if (!cursor.atEnd() || isBoth) {
      return null;
    }
    var ending = new Ending(chain, release);
    return commit ? new Commit(ending) : new Rollback(ending);
  }

  private static @Nullable String lastName(TokenCursor cursor) {
    if (!cursor.isName()) {
      return null;
    }
    String name = cursor.takeName();
    return cursor.atEnd() ? name : null;
  }
}
