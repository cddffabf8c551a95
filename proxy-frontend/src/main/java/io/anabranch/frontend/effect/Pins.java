package io.anabranch.frontend.effect;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.transaction.Pin;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Statements that leave state in a connection which cannot be replayed on another one. */
public final class Pins {

  private Pins() {}

  /**
   * Binds the connection to the session by what the statement has done there.
   *
   * @param status flags of the statement's answer
   */
  public static void after(Scan scan, int status, SessionConnections connections, Lease lease) {
    Pin pin = pin(scan);
    boolean isOver = pin == Pin.XA && (status & ServerStatus.IN_TRANS) == 0;
    if (pin != null && !isOver) {
      connections.pins().pin(lease, pin);
    }
  }

  /**
   * Gives the connection back once a statement has surely taken the last of such state from it:
   * RELEASE_ALL_LOCKS, DROP TEMPORARY TABLE of as many tables as were made. After the statement has
   * ended there.
   *
   * @param source the same statement, asked for only where its tokens matter
   */
  public static void over(
      Scan scan, Supplier<SourceText> source, SessionConnections connections, Lease lease) {
    switch (scan.kind()) {
      case SELECT, DO -> {
        if (connections.pins().any(Pin.USER_LOCK)
            && contains(scan, "release_all_locks")
            && releasesAllLocks(source.get().tokens())) {
          connections.pins().unpin(lease, Pin.USER_LOCK);
        }
      }
      case DROP -> {
        if (scan.mentionsTemporary() && connections.pins().any(Pin.TEMPORARY_TABLE)) {
          connections.pins().droppedTemporaryTables(lease, dropped(source.get().tokens()));
        }
      }
      default -> {}
    }
  }

  /** Whether that is all it does: behind a condition it might not run. */
  static boolean releasesAllLocks(SqlTokens tokens) {
    boolean isCall =
        tokens.isWord(1, "RELEASE_ALL_LOCKS")
            && tokens.isPunctuation(2, '(')
            && tokens.isPunctuation(3, ')');
    int rest = tokens.isWord(4, "AS") ? 5 : 4;
    boolean isAlone = tokens.size() == 4 || (tokens.isName(rest) && tokens.size() == rest + 1);
    return isCall && isAlone;
  }

  /** How many tables a DROP TEMPORARY TABLE names; 0 for what is no such statement. */
  static int dropped(SqlTokens tokens) {
    if (!tokens.isWord(1, "TEMPORARY") || !tokens.isWord(2, "TABLE")) {
      return 0;
    }
    return 1 + tokens.from(3).count(token -> tokens.isPunctuation(token, ','));
  }

  static @Nullable Pin pin(Scan scan) {
    return switch (scan.kind()) {
      case LOCK_TABLES -> Pin.LOCK_TABLES;
      case FLUSH -> locks(scan) ? Pin.LOCK_TABLES : null;
      case CREATE -> isOfTemporaryTable(scan) ? Pin.TEMPORARY_TABLE : null;
      case XA -> Pin.XA;
      case PREPARE, HANDLER, EXECUTE, CALL -> Pin.OTHER;
      case SET -> ofAssignment(scan);
      case ACCOUNT -> isSetRole(scan) ? Pin.OTHER : null;
      case OTHER -> ofText(scan);
      default -> null;
    };
  }

  /** Those that reach a connection: what is good for one statement, SET GLOBAL, SET STATEMENT. */
  private static @Nullable Pin ofAssignment(Scan scan) {
    boolean stays =
        contains(scan, "insert_id")
            || contains(scan, "identity")
            || contains(scan, "rand_seed")
            || contains(scan, "pseudo_thread_id")
            || contains(scan, "gtid_")
            || contains(scan, "temporary");
    return stays ? Pin.OTHER : null;
  }

  /** Not GRANT and the like, which the server keeps. */
  private static boolean isSetRole(Scan scan) {
    return lower(scan.sql()[scan.start()]) == 's' && contains(scan, "role");
  }

  /** BACKUP, and statements that have others inside: all of those end with END. */
  private static @Nullable Pin ofText(Scan scan) {
    if (contains(scan, "get_lock")) {
      return Pin.USER_LOCK;
    }
    boolean isBackup = contains(scan, "backup") && !scan.mentionsFrom();
    return isBackup || contains(scan, "end") ? Pin.OTHER : null;
  }

  /** FLUSH TABLES … WITH READ LOCK, FLUSH TABLES … FOR EXPORT: until UNLOCK TABLES. */
  private static boolean locks(Scan scan) {
    return contains(scan, "lock") || contains(scan, "export");
  }

  /** CREATE or DROP TEMPORARY TABLE, which neither commits nor outlives its connection. */
  public static boolean isOfTemporaryTable(Scan scan) {
    boolean mayBe = scan.kind() == StatementKind.CREATE || scan.kind() == StatementKind.DROP;
    return mayBe && scan.mentionsTemporary();
  }

  /** Whether the statement's bytes contain {@code word}, in lower case, in any case. */
  static boolean contains(Scan scan, String word) {
    byte[] sql = scan.sql();
    int last = scan.end() - word.length();
    char first = word.charAt(0);
    for (int i = scan.start(); i <= last; i++) {
      if (lower(sql[i]) == first && matches(sql, i, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(byte[] sql, int at, String word) {
    for (int i = 1; i < word.length(); i++) {
      if (lower(sql[at + i]) != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int lower(byte b) {
    return b >= 'A' && b <= 'Z' ? b + 32 : b;
  }
}
