package io.anabranch.rules.lexer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * One statement as planning sees it: decoded text, its tokens, and the way back to bytes.
 * Immutable.
 *
 * <p>Text that goes to a database is cut out of {@link #bytes()}, never encoded from {@link
 * #text()}: literals may hold bytes that are no characters.
 */
public final class SourceText {

  /** Decoded in pieces: a long literal would be in memory three times more. */
  private static final int LONG = 64 * 1024;

  private static final int FEW = 64;

  private static final byte[] EMPTY_COMMENT = {'/', '*', '*', '/'};
  private static final byte[] BLANK = {' '};

  /** Characters that are bytes. */
  private static final int ASCII_BYTES = 1;

  /** Characters, and what they are put together in. */
  private static final int TEXT_BYTES = 4;

  /** Where a token is, what it is, its parentheses. */
  private static final int TOKEN_BYTES = 32;

  private static final int[] AS_CHARACTERS = {};

  private final byte[] bytes;
  private final Charset charset;
  private final LexerMode mode;
  private final String text;
  private final SqlTokens tokens;

  /** Where tokens start and end in the bytes; empty where each byte is a character. */
  private final int[] byteStarts;

  private final int[] byteEnds;

  /** Tokens in front of which stands something of {@link Scan#spacing}. */
  private final BitSet spaced;

  private SourceText(
      byte[] bytes,
      Charset charset,
      LexerMode mode,
      String text,
      SqlTokens tokens,
      BitSet spaced,
      int[] byteStarts,
      int[] byteEnds) {
    this.bytes = bytes;
    this.charset = charset;
    this.mode = mode;
    this.text = text;
    this.tokens = tokens;
    this.spaced = spaced;
    this.byteStarts = byteStarts;
    this.byteEnds = byteEnds;
  }

  /**
   * Decodes the statement of {@code scan}; slot numbers are the same. The bytes are shared where
   * they are the statement and nothing else.
   */
  public static SourceText of(Scan scan, Charset charset, LexerMode mode) {
    // the arrays of a long one are large: they are as long as they have to be at once
    return of(
        isWhole(scan) ? scan.sql() : Arrays.copyOfRange(scan.sql(), scan.start(), scan.end()),
        charset,
        mode,
        new TokenRecorder(scan.mostTokens()),
        Scan.sizedAs(scan.size()));
  }

  private static boolean isWhole(Scan scan) {
    return scan.start() == 0 && scan.end() == scan.sql().length;
  }

  /** About how many bytes the text of {@code scan} takes beside its own, and its tokens. */
  public static long weight(Scan scan) {
    int each = (isWhole(scan) ? 0 : 1) + (scan.isAscii() ? ASCII_BYTES : TEXT_BYTES);
    return each * ((long) scan.end() - scan.start()) + (long) TOKEN_BYTES * scan.mostTokens();
  }

  /** A statement that the proxy wrote itself, in UTF-8. */
  public static SourceText of(String statement, LexerMode mode) {
    return of(
        statement.getBytes(StandardCharsets.UTF_8),
        StandardCharsets.UTF_8,
        mode.ofUtf8(),
        new TokenRecorder(FEW),
        new Scan());
  }

  /** That the tokens were read by. */
  public LexerMode mode() {
    return mode;
  }

  /**
   * The same as a server reads it: a version comment that it does not run is one EXECUTABLE_START
   * with all that is in it.
   *
   * @param versions which version comments it runs
   */
  public SourceText readBy(Comments.Versions versions) {
    var recorder = new TokenRecorder(tokens.size() + 1);
    return of(bytes, charset, mode, recorder, new SqlScanner(recorder, versions), new Scan());
  }

  private static SourceText of(
      byte[] bytes, Charset charset, LexerMode mode, TokenRecorder recorder, Scan into) {
    return of(bytes, charset, mode, recorder, new SqlScanner(recorder, null), into);
  }

  private static SourceText of(
      byte[] bytes,
      Charset charset,
      LexerMode mode,
      TokenRecorder recorder,
      SqlScanner scanner,
      Scan into) {
    Scan scan = scanner.scan(bytes, 0, bytes.length, mode, into);
    int count = recorder.count;
    int[] starts = recorder.starts;
    int[] ends = recorder.ends;
    String text;
    int[] byteStarts;
    int[] byteEnds;
    if (scan.isAscii()) {
      text = new String(bytes, StandardCharsets.ISO_8859_1);
      byteStarts = AS_CHARACTERS;
      byteEnds = AS_CHARACTERS;
    } else {
      byteStarts = Arrays.copyOf(starts, count);
      byteEnds = Arrays.copyOf(ends, count);
      var decoded = new StringBuilder(bytes.length);
      int done = 0;
      for (int i = 0; i < count; i++) {
        decode(bytes, done, byteStarts[i], charset, decoded);
        starts[i] = decoded.length();
        decode(bytes, byteStarts[i], byteEnds[i], charset, decoded);
        ends[i] = decoded.length();
        done = byteEnds[i];
      }
      decode(bytes, done, bytes.length, charset, decoded);
      text = decoded.toString();
    }
    var tokens = new SqlTokens(text, recorder.kinds, starts, ends, recorder.slots, count);
    return new SourceText(
        bytes, charset, mode, text, tokens, recorder.spaced, byteStarts, byteEnds);
  }

  private static void decode(byte[] bytes, int from, int to, Charset charset, StringBuilder out) {
    if (to - from <= LONG) {
      out.append(new String(bytes, from, to - from, charset));
      return;
    }
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    ByteBuffer in = ByteBuffer.wrap(bytes, from, to - from);
    CharBuffer piece = CharBuffer.allocate(LONG);
    CoderResult result;
    do {
      result = decoder.decode(in, piece, true);
      out.append(piece.flip());
      piece.clear();
    } while (result.isOverflow());
    do {
      result = decoder.flush(piece);
      out.append(piece.flip());
      piece.clear();
    } while (result.isOverflow());
  }

  /**
   * The same without plain comments, but for those of {@link Scan#spacing}: all that is the same in
   * statements of one plan. Lines are left as they are.
   */
  public SourceText withoutComments() {
    var kept = new ByteArrayOutputStream(bytes.length);
    int copied = 0;
    int done = 0;
    for (int token = 0; token <= tokens.size(); token++) {
      boolean isEnd = token == tokens.size();
      int start = isEnd ? bytes.length : byteOffset(tokens.start(token));
      if (!spaced.get(token) && !isBlank(done, start)) {
        kept.write(bytes, copied, done - copied);
        if (token > 0 && !isEnd) {
          // a blank behind two minus signs would make a comment of the rest
          kept.writeBytes(bytes[done - 1] == '-' ? EMPTY_COMMENT : BLANK);
        }
        for (int i = done; i < start; i++) {
          if (bytes[i] == '\n') {
            kept.write('\n');
          }
        }
        copied = start;
      }
      done = isEnd ? start : byteOffset(tokens.end(token));
    }
    if (copied == 0) {
      return this;
    }
    kept.write(bytes, copied, bytes.length - copied);
    return of(kept.toByteArray(), charset, mode, new TokenRecorder(tokens.size()), new Scan());
  }

  private boolean isBlank(int from, int to) {
    int at = from;
    while (at < to && ByteClass.of(bytes[at]) == ByteClass.BLANK) {
      at++;
    }
    return at >= to;
  }

  public String text() {
    return text;
  }

  /** The statement's bytes; not to be modified. */
  public byte[] bytes() {
    return bytes;
  }

  public Charset charset() {
    return charset;
  }

  /** Whether its bytes were read like this. */
  public boolean isReadAs(Charset otherCharset, LexerMode otherMode) {
    return charset.equals(otherCharset) && mode.equals(otherMode);
  }

  public SqlTokens tokens() {
    return tokens;
  }

  /** Byte offset of a character offset; exact where a token starts or ends, and in ASCII text. */
  public int byteOffset(int offset) {
    if (offset == text.length()) {
      return bytes.length;
    }
    if (byteStarts.length == 0) {
      return offset;
    }
    int token = tokens.lastStartingBy(offset);
    int from = token < 0 ? 0 : byteStarts[token];
    int to = token < 0 ? byteStarts[0] : byteEnds[token];
    int start = token < 0 ? 0 : tokens.start(token);
    if (token >= 0 && offset >= tokens.end(token)) {
      from = to;
      to = token + 1 < byteStarts.length ? byteStarts[token + 1] : bytes.length;
      start = tokens.end(token);
    }
    return Math.min(to, from + offset - start);
  }

  /** The first token that starts at or behind an offset in bytes. */
  public int tokenAt(int byteOffset) {
    if (byteStarts.length == 0) {
      return tokens.at(byteOffset);
    }
    int found = Arrays.binarySearch(byteStarts, byteOffset);
    return found >= 0 ? found : -found - 1;
  }

  /** Text of the proxy's own, in the statement's character set. */
  public byte[] encode(String value) {
    return value.getBytes(charset);
  }
}
