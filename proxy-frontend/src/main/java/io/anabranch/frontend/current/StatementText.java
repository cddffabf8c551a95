package io.anabranch.frontend.current;

import io.anabranch.backend.lease.ResolvedVariable;
import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.frontend.session.CountedTexts;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.frontend.session.prepared.Reading;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlScanner;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TextShapes;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The command's text and the statement in it that runs: of {@code SELECT 1; SELECT 2} first the
 * one, then the other. Knows where the statement is, how it is read, and its tokens, once somebody
 * has asked for them; what they take is charged to the session.
 */
public final class StatementText {

  /** Longer ones are given back when the command ends: nobody counts what idle sessions keep. */
  private static final int KEPT_BYTES = 8 * 1024;

  private static final byte[] NOTHING = {};

  /** What a character of a text that the proxy writes takes: itself, and its bytes. */
  private static final int WRITTEN_BYTES = 3;

  private final Session session;
  private final ReceivedCommand command;
  private final SqlScanner scanner = new SqlScanner();
  private final Scan ownScan;
  private final MemoryCharge sources;

  private byte[] text = NOTHING;
  private int end;
  private Scan scan;
  private Reading reading;
  private @Nullable SourceText source;
  private boolean whole;
  private boolean replaced;

  StatementText(Session session, ReceivedCommand command) {
    this.session = session;
    this.command = command;
    this.ownScan = new Scan(CountedTexts.room(session));
    this.scan = ownScan;
    this.sources = session.memory().charge(MemoryKind.HEAP, "the tokens of the statement");
    this.reading = session.language().reading();
  }

  // ---------------------------------------------------------------- what runs

  /** A command has this text. */
  void command(byte[] sql) {
    text = sql;
    end = withoutGarbage(sql);
  }

  /** As the server does: semicolons and blanks at the end of a packet count for nothing. */
  private static int withoutGarbage(byte[] sql) {
    int end = sql.length;
    while (end > 0 && isGarbage(sql[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isGarbage(byte last) {
    return last == ';' || (last >= 0 && last <= ' ');
  }

  /** Reads the statement that starts at {@code from}. */
  void begin(int from) {
    forgetSource();
    replaced = false;
    PreparedStatement executed = command.prepared();
    if (executed == null) {
      reading = session.language().reading();
      scan = scan(from);
    } else {
      reading = executed.reading(session.language().reading());
      scan = executed.scan(scanner, end, reading.mode());
    }
    whole = from == 0 && next() < 0 && !command.isPrepared();
  }

  private Scan scan(int from) {
    TextShapes shapes = session.deployment().planner().shapes();
    if (!shapes.read(text, from, end, reading.mode(), ownScan)) {
      scanner.scan(text, from, end, reading.mode(), ownScan);
      shapes.learn(ownScan, end, reading.mode());
    }
    return ownScan;
  }

  /** Goes on with another text, of which the rest of the packet stays a part. */
  void replace(String by) {
    forgetSource();
    if (by.length() > PlanningRoom.LARGE) {
      sources.grow(WRITTEN_BYTES * (long) by.length());
    }
    replaced = true;
    byte[] statement = by.getBytes(reading.charset());
    int next = scan.next();
    if (next < 0) {
      text = statement;
    } else {
      byte[] joined = Arrays.copyOf(statement, statement.length + 1 + end - next);
      joined[statement.length] = ';';
      System.arraycopy(text, next, joined, statement.length + 1, end - next);
      text = joined;
    }
    end = text.length;
    whole = false;
    scan = scanner.scan(text, 0, end, reading.mode(), ownScan);
  }

  /** Whether what it was is given back, because it was long. */
  boolean commandEnded() {
    forgetSource();
    if (text.length <= KEPT_BYTES) {
      return false;
    }
    text = NOTHING;
    end = 0;
    scan = ownScan;
    ownScan.letGo();
    scanner.letGo();
    return true;
  }

  // ---------------------------------------------------------------- what it is

  /** The statement's place, its slots, kind and fingerprint. */
  public Scan scan() {
    return scan;
  }

  /** The statement's text for those who read tokens. */
  public SourceText source() {
    SourceText known = source;
    if (known == null) {
      if (scan.end() - scan.start() > PlanningRoom.LARGE) {
        sources.grow(SourceText.weight(scan));
      }
      known = SourceText.of(scan, reading.charset(), reading.mode());
      source = known;
    }
    return known;
  }

  private void forgetSource() {
    source = null;
    sources.close();
  }

  /** What a server says where {@link Scan#unreadable} is. */
  public RefusedException unreadable() {
    int start = scan.start();
    String whole = new String(text, start, scan.end() - start, reading.charset());
    String before = new String(text, start, scan.unreadable() - start, reading.charset());
    return Syntax.near(whole, before.length());
  }

  /** A copy of the statement's bytes. */
  public byte[] sql() {
    return Arrays.copyOfRange(text, scan.start(), scan.end());
  }

  /** The whole command's bytes, as the client has sent them if {@link #isWhole}. */
  byte[] bytes() {
    return text;
  }

  /** Whether the statement is the whole command, unchanged. */
  boolean isWhole() {
    return whole;
  }

  /** Whether the proxy has put another text in its place. */
  boolean isReplaced() {
    return replaced;
  }

  /** How it is read. */
  Reading reading() {
    return reading;
  }

  // ---------------------------------------------------------------- what is around it

  /** The whole command's text. */
  public String commandText() {
    return new String(text, 0, end, reading.charset());
  }

  /** Where the command's next statement starts; -1: this is the last one. */
  public int next() {
    boolean isText = !command.isPrepared() && session.has(Capability.MULTI_STATEMENTS);
    return StatementPart.next(scan, end, isText);
  }

  /** Where the next statement starts in {@link #commandText}, in characters. */
  public int nextCharacter() {
    return new String(text, 0, scan.next(), reading.charset()).length();
  }

  /** Error 1064: there is no statement in front of a semicolon. */
  public RefusedException empty() {
    return StatementPart.empty(scan, end, reading.charset());
  }

  /** The error of a statement that its database knows alone, as if it knew the whole command. */
  public ErrPacket told(ErrPacket error) {
    return command.isPrepared() ? error : StatementPart.cited(error, scan, end, reading.charset());
  }

  // ---------------------------------------------------------------- what it meant

  /**
   * How it was read when it was prepared, if it would now mean something else; null: it would not.
   */
  @Nullable Reading readOtherwise() {
    Reading now = session.language().reading();
    if (command.prepared() == null || reading.equals(now)) {
      return null;
    }
    boolean isResolvedOtherwise =
        !session.deployment().isMariaDb()
            && !reading.settings().resolvedOtherwise(now.settings()).isEmpty();
    return isResolvedOtherwise || !reading.agrees(now, scan) ? reading : null;
  }

  /**
   * What it was prepared under that the session has otherwise since, if it would now mean something
   * else; null: it would not.
   */
  public @Nullable String preparedUnder() {
    Reading former = readOtherwise();
    Reading now = session.language().reading();
    if (former == null) {
      return null;
    }
    if (!former.agrees(now, scan)) {
      return "character set, collation or sql_mode";
    }
    for (ResolvedVariable each : former.settings().resolvedOtherwise(now.settings())) {
      if (mentions(each)) {
        return each.variable();
      }
    }
    return null;
  }

  private boolean mentions(ResolvedVariable variable) {
    SqlTokens tokens = source().tokens();
    return tokens.all().has(i -> variable.isAbout(tokens.text(i).toUpperCase(Locale.ROOT)));
  }
}
