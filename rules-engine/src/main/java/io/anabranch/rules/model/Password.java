package io.anabranch.rules.model;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a user's password is checked against: itself, or a hash as MySQL keeps it. */
public sealed interface Password {

  /** In clear; empty means that the user has none. */
  record Plain(String text) implements Password {
    @Override
    public String toString() {
      return "Plain";
    }
  }

  /**
   * {@code *HEX} of mysql_native_password.
   *
   * @param digest SHA1(SHA1(password))
   */
  record NativeHash(byte[] digest) implements Password {
    @Override
    public boolean equals(Object other) {
      return other instanceof NativeHash(byte[] bytes) && Arrays.equals(bytes, digest);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
      return "NativeHash";
    }
  }

  /**
   * {@code $A$005$…} of caching_sha2_password.
   *
   * @param rounds of hashing
   * @param salt 20 bytes
   * @param digest the 43 characters that end it
   */
  record Sha2Hash(int rounds, byte[] salt, byte[] digest) implements Password {
    @Override
    public boolean equals(Object other) {
      return other instanceof Sha2Hash(int times, byte[] grains, byte[] bytes)
          && times == rounds
          && Arrays.equals(grains, salt)
          && Arrays.equals(bytes, digest);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(digest);
    }

    @Override
    public String toString() {
      return "Sha2Hash";
    }
  }

  /** No password is right: nobody logs in by the user's name. */
  record OfNobody() implements Password {}

  /**
   * Reads a password as it is written in the configuration: {@code *} and 40 hexadecimal digits;
   * {@code $A$005$}, salt and digest, also as {@code 0x} and hexadecimal digits; anything else is
   * the password itself.
   *
   * @return null if it starts as a hash of caching_sha2_password and is none
   */
  static @Nullable Password parse(String text) {
    if (text.matches("\\*[0-9A-Fa-f]{40}")) {
      return new NativeHash(HexFormat.of().parseHex(text.substring(1)));
    }
    if (text.startsWith(Sha2Form.PREFIX)) {
      return Sha2Form.parse(Sha2Form.bytes(text));
    }
    if (text.toLowerCase(Locale.ROOT).startsWith(Sha2Form.HEX_PREFIX)) {
      byte[] bytes = Sha2Form.hex(text.substring(2));
      return bytes == null ? null : Sha2Form.parse(bytes);
    }
    return new Plain(text);
  }

  /** Whether the user logs in without a password. */
  default boolean isEmpty() {
    return this instanceof Plain(String text) && text.isEmpty();
  }
}
