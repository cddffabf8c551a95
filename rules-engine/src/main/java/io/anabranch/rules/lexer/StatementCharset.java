package io.anabranch.rules.lexer;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * A character set whose texts lose no byte: literals hold bytes that are no characters of it
 * ({@code _binary'…'}, Latin-1 sent as UTF-8), and what is decoded here and encoded again is what
 * it was. Such bytes are low surrogates without a high one in front, U+DC00 to U+DCFF.
 *
 * <p>It has the name of the character set that it stands for, and is equal to it. For whole texts:
 * a character that is cut by the end of a buffer counts as bytes. Immutable.
 */
public final class StatementCharset extends Charset {

  private static final int ESCAPE = 0xDC00;
  private static final int BYTE = 0xFF;
  private static final int WIDEST = 4;

  private final Charset plain;
  private final boolean hasTwins;

  private StatementCharset(Charset plain) {
    super(plain.name(), new String[0]);
    this.plain = plain;
    // several bytes of one meaning: what is encoded may be the other ones
    this.hasTwins = !plain.name().equals("UTF-8") && plain.newEncoder().maxBytesPerChar() > 1;
  }

  public static StatementCharset of(Charset plain) {
    return plain instanceof StatementCharset known ? known : new StatementCharset(plain);
  }

  /**
   * Decodes a part of a statement.
   *
   * @param charset a superset of ASCII, as all are that statements can be in
   */
  public static String decode(byte[] bytes, int from, int to, Charset charset) {
    for (int i = from; i < to; i++) {
      if (bytes[i] < 0) {
        return new String(bytes, from, to - from, charset);
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  /** The text for people: a question mark for each byte that is no character. */
  public static String shown(String text) {
    return isClean(text) ? text : written(text, "?");
  }

  /** The text as a name, in which servers write such a byte as {@code \xFF}. */
  public static String name(String text) {
    return isClean(text) ? text : written(text, "\\x%02X");
  }

  private static boolean isClean(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isByte(text, i)) {
        return false;
      }
    }
    return true;
  }

  private static String written(String text, String format) {
    var out = new StringBuilder(text.length() + WIDEST);
    for (int i = 0; i < text.length(); i++) {
      if (isByte(text, i)) {
        out.append(String.format(format, text.charAt(i) & BYTE));
      } else {
        out.append(text.charAt(i));
      }
    }
    return out.toString();
  }

  private static boolean isByte(CharSequence text, int at) {
    return (text.charAt(at) & ~BYTE) == ESCAPE
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  @Override
  public boolean contains(Charset other) {
    return plain.contains(other);
  }

  @Override
  public CharsetDecoder newDecoder() {
    return new Decoder(plain.newDecoder());
  }

  @Override
  public CharsetEncoder newEncoder() {
    return new Encoder(plain.newEncoder());
  }

  private final class Decoder extends CharsetDecoder {

    private final CharsetDecoder decoder;
    private final CharsetEncoder encoder = plain.newEncoder();

    private Decoder(CharsetDecoder decoder) {
      super(StatementCharset.this, 1, Math.max(1, decoder.maxCharsPerByte()));
      this.decoder = decoder;
    }

    @Override
    protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
      boolean singly = false;
      while (in.hasRemaining()) {
        int start = in.position();
        int written = out.position();
        CoderResult result = singly ? decodeOne(in, out) : decodeAll(in, out);
        if (!singly && hasTwins && !isKept(in, start, out, written)) {
          in.position(start);
          out.position(written);
          singly = true;
          continue;
        }
        if (result.isOverflow()) {
          return result;
        }
        if (result.isError() && !escape(in, out, result.length())) {
          return CoderResult.OVERFLOW;
        }
      }
      return CoderResult.UNDERFLOW;
    }

    private CoderResult decodeAll(ByteBuffer in, CharBuffer out) {
      decoder.reset();
      return decoder.decode(in, out, true);
    }

    /** Whether what has been decoded is encoded as it was. */
    private boolean isKept(ByteBuffer in, int start, CharBuffer out, int written) {
      int length = in.position() - start;
      CharBuffer decoded = out.duplicate().flip().position(written);
      ByteBuffer encoded = ByteBuffer.allocate(length);
      encoder.reset();
      CoderResult result = encoder.encode(decoded, encoded, true);
      return result.isUnderflow()
          && encoded.flip().equals(in.duplicate().position(start).limit(start + length));
    }

    /** One character, or one byte as such. */
    private CoderResult decodeOne(ByteBuffer in, CharBuffer out) {
      int start = in.position();
      int written = out.position();
      for (int length = 1; length <= Math.min(WIDEST, in.remaining()); length++) {
        ByteBuffer one = in.duplicate().limit(start + length);
        CoderResult result = decodeAll(one, out);
        if (result.isOverflow()) {
          return result;
        }
        if (result.isUnderflow() && isKept(one, start, out, written)) {
          in.position(one.position());
          return result;
        }
        out.position(written);
      }
      return CoderResult.malformedForLength(1);
    }

    private boolean escape(ByteBuffer in, CharBuffer out, int count) {
      if (out.remaining() < count) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        out.put((char) (ESCAPE | (in.get() & BYTE)));
      }
      return true;
    }
  }

  private final class Encoder extends CharsetEncoder {

    private final CharsetEncoder encoder;

    private Encoder(CharsetEncoder encoder) {
      super(
          StatementCharset.this,
          encoder.averageBytesPerChar(),
          encoder.maxBytesPerChar(),
          encoder.replacement());
      this.encoder = encoder;
      encoder.onMalformedInput(CodingErrorAction.REPORT);
      encoder.onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    @Override
    protected CoderResult encodeLoop(CharBuffer in, ByteBuffer out) {
      int end = in.limit();
      while (in.hasRemaining()) {
        int next = nextByte(in);
        in.limit(next);
        encoder.reset();
        CoderResult result = encoder.encode(in, out, true);
        in.limit(end);
        if (!result.isUnderflow()) {
          return result;
        }
        if (next < end) {
          if (!out.hasRemaining()) {
            return CoderResult.OVERFLOW;
          }
          out.put((byte) in.get());
        }
      }
      return CoderResult.UNDERFLOW;
    }

    private static int nextByte(CharBuffer in) {
      for (int at = in.position(); at < in.limit(); at++) {
        char unit = in.get(at);
        boolean isEscape = (unit & ~BYTE) == ESCAPE;
        if (isEscape && (at == 0 || !Character.isHighSurrogate(in.get(at - 1)))) {
          return at;
        }
      }
      return in.limit();
    }
  }
}
