package io.anabranch.frontend.session;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.ScanRoom;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;

/**
 * Texts beside the one that the client has sent (what is prepared by name, what EXPLAIN asks about)
 * are read where the session has memory for that. Stateless.
 */
public final class CountedTexts {

  private CountedTexts() {}

  /** Where scans of the session's statements ask for room. */
  public static ScanRoom room(Session session) {
    return room(charge(session));
  }

  private static MemoryCharge charge(Session session) {
    return session.memory().charge(MemoryKind.HEAP, "the literals of the statement");
  }

  private static ScanRoom room(MemoryCharge charge) {
    return new ScanRoom() {
      @Override
      public void take(long bytes) {
        charge.grow(bytes);
      }

      @Override
      public void give(long bytes) {
        charge.shrink(bytes);
      }
    };
  }

  /**
   * Scans a text that is forgotten soon.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public static Scan scan(byte[] sql, Session session) {
    try (MemoryCharge found = charge(session)) {
      return new SqlScanner().scan(sql, 0, sql.length, session.lexerMode(), new Scan(room(found)));
    }
  }

  /**
   * Reads the tokens of a text that is forgotten soon.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public static SourceText read(Scan scan, Session session) {
    try (MemoryCharge tokens = charge(session)) {
      tokens.grow(SourceText.weight(scan));
      return SourceText.of(scan, session.charset(), session.lexerMode());
    }
  }
}
