package io.anabranch.protocol.type;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/**
 * A collation and its character set.
 *
 * <p>See <a
 * href="https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_character_set.html">Character
 * Set</a>.
 *
 * @param id as in handshakes and column definitions; up to 65535
 * @param name in lower case, {@code utf8mb4_general_ci}
 * @param characterSet MySQL's name in lower case, {@code utf8mb4}
 * @param isDefault of its character set
 */
public record Collation(int id, String name, String characterSet, boolean isDefault) {

  /** {@code utf8mb4_general_ci}. */
  public static final int UTF8MB4_GENERAL_CI = 45;

  /** What {@code utf8mb4} means on MySQL. */
  public static final int UTF8MB4_0900_AI_CI = 255;

  /** {@code binary}. */
  public static final int BINARY = 63;

  /** Null for ids that neither MySQL nor MariaDB has. */
  public static @Nullable Collation byId(int id) {
    return CollationTable.byId(id);
  }

  /** By name in any case, former names ({@code utf8_bin}) included; null when there is none. */
  public static @Nullable Collation byName(String name) {
    return CollationTable.byName(name);
  }

  /** The default collation of a character set, named in any case; null when there is none. */
  public static @Nullable Collation defaultOf(String characterSet) {
    return CollationTable.defaultOf(characterSet);
  }

  /** Java's charset for the character set; null when Java has none (dec8, geostd8, …). */
  public @Nullable Charset charset() {
    return CollationTable.charset(characterSet);
  }

  /**
   * Whether the bytes are a text in the character set to Java: servers refuse literals that are
   * none to them, where they let values of clients pass. True where Java has no such charset.
   */
  public boolean isWellFormed(byte[] bytes) {
    Charset charset = charset();
    if (charset == null) {
      return true;
    }
    try {
      CharBuffer text =
          charset
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPLACE)
              .decode(ByteBuffer.wrap(bytes));
      // of three bytes at most
      return !characterSet.equals("utf8mb3")
          || text.chars().noneMatch(letter -> Character.isSurrogate((char) letter));
    } catch (CharacterCodingException _) {
      return false;
    }
  }
}
