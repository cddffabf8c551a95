package io.anabranch.rules.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a hash of caching_sha2_password, as {@code mysql.user.authentication_string} has
 * it: {@code $A$}, rounds in thousands as three hexadecimal digits, {@code $}, 20 bytes of salt, 43
 * characters of digest.
 */
final class Sha2Form {

  static final String PREFIX = "$A$";

  /** {@link #PREFIX} as SHOW CREATE USER writes it with print_identified_with_as_hex. */
  static final String HEX_PREFIX = "0x244124";

  private static final int SALT_AT = 7;
  private static final int SALT_LENGTH = 20;
  private static final int DIGEST_LENGTH = 43;
  private static final int ROUNDS_UNIT = 1000;

  private Sha2Form() {}

  /** Salts are seven-bit, so one character of the configuration is one byte. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static byte @Nullable [] hex(String digits) {
    try {
      return HexFormat.of().parseHex(digits);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static Password.@Nullable Sha2Hash parse(byte[] form) {
    if (form.length != SALT_AT + SALT_LENGTH + DIGEST_LENGTH || form[SALT_AT - 1] != '$') {
      return null;
    }
    String units = new String(form, PREFIX.length(), 3, StandardCharsets.ISO_8859_1);
    if (!units.matches("[0-9A-Fa-f]{3}") || Integer.parseInt(units, 16) == 0) {
      return null;
    }
    return new Password.Sha2Hash(
        Integer.parseInt(units, 16) * ROUNDS_UNIT,
        Arrays.copyOfRange(form, SALT_AT, SALT_AT + SALT_LENGTH),
        Arrays.copyOfRange(form, SALT_AT + SALT_LENGTH, form.length));
  }
}
