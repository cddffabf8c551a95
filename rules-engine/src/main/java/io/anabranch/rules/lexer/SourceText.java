package io.anabranch.rules.lexer;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One statement as planning sees it: decoded text, its tokens, and the way back to bytes.
 * Immutable.
 *
 * <p>Text that goes to a database is cut out of {@link #bytes()}, never encoded from {@link
 * #text()}: literals may hold bytes that are no characters.
 */
public final class SourceText {

  private final byte[] bytes;
  private final Charset charset;
  private final String text;
  private final SqlTokens tokens;
  private final int[] byteOffsets;

  private SourceText(
      byte[] bytes, Charset charset, String text, SqlTokens tokens, int[] byteOffsets) {
    this.bytes = bytes;
    this.charset = charset;
    this.text = text;
    this.tokens = tokens;
    this.byteOffsets = byteOffsets;
  }

  /** Copies and decodes the statement of {@code scan}; slot numbers are the same. */
  public static SourceText of(Scan scan, Charset charset, LexerMode mode) {
    return of(Arrays.copyOfRange(scan.sql(), scan.start(), scan.end()), charset, mode);
  }

  /** A statement that the proxy wrote itself, in UTF-8. */
  public static SourceText of(String statement, LexerMode mode) {
    return of(statement.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8, mode);
  }

  private static SourceText of(byte[] bytes, Charset charset, LexerMode mode) {
    var recorder = new TokenRecorder();
    Scan scan = new SqlScanner(recorder).scan(bytes, 0, bytes.length, mode, new Scan());
    int count = recorder.count;
    int[] starts = Arrays.copyOf(recorder.starts, count);
    int[] ends = Arrays.copyOf(recorder.ends, count);
    String text;
    int[] byteOffsets;
    if (scan.isAscii()) {
      text = new String(bytes, StandardCharsets.ISO_8859_1);
      byteOffsets = new int[0];
    } else {
      var decoded = new StringBuilder(bytes.length);
      int[] offsets = new int[bytes.length + 1];
      int done = 0;
      for (int i = 0; i < count; i++) {
        decode(bytes, done, starts[i], charset, decoded, offsets);
        int start = decoded.length();
        decode(bytes, starts[i], ends[i], charset, decoded, offsets);
        done = ends[i];
        starts[i] = start;
        ends[i] = decoded.length();
      }
      decode(bytes, done, bytes.length, charset, decoded, offsets);
      text = decoded.toString();
      byteOffsets = Arrays.copyOf(offsets, text.length() + 1);
      byteOffsets[text.length()] = bytes.length;
    }
    var tokens =
        new SqlTokens(
            text, recorder.kinds, starts, ends, Arrays.copyOf(recorder.slots, count), count);
    return new SourceText(bytes, charset, text, tokens, byteOffsets);
  }

  private static void decode(
      byte[] bytes, int from, int to, Charset charset, StringBuilder out, int[] offsets) {
    int start = out.length();
    out.append(new String(bytes, from, to - from, charset));
    for (int i = start; i < out.length() && i < offsets.length; i++) {
      offsets[i] = Math.min(to, from + i - start);
    }
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

  public SqlTokens tokens() {
    return tokens;
  }

  /** Byte offset of a character offset; exact where a token starts or ends, and in ASCII text. */
  public int byteOffset(int offset) {
    return byteOffsets.length == 0 ? offset : byteOffsets[offset];
  }

  /** Text of the proxy's own, in the statement's character set. */
  public byte[] encode(String value) {
    return value.getBytes(charset);
  }
}
