package io.anabranch.frontend.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/** The few values of ASN.1's distinguished encoding rules (X.690) that a certificate is made of. */
final class Der {

  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OID = 0x06;
  private static final int UTF8 = 0x0C;
  private static final int UTC_TIME = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  /** An AlgorithmIdentifier: rsaEncryption with its NULL. */
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(SEQUENCE, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(SET, parts);
  }

  static byte[] integer(BigInteger value) {
    return tagged(INTEGER, value.toByteArray());
  }

  /**
   * @param contents of the identifier, in hexadecimal
   */
  static byte[] oid(String contents) {
    return tagged(OID, HexFormat.of().parseHex(contents));
  }

  static byte[] utf8(String text) {
    return tagged(UTF8, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Up to the year 2049. */
  static byte[] time(Instant instant) {
    return tagged(UTC_TIME, SECONDS.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] octets(byte[] content) {
    return tagged(OCTET_STRING, content);
  }

  /** Whole bytes of bits. */
  static byte[] bits(byte[] content) {
    return tagged(BIT_STRING, new byte[] {0}, content);
  }

  static byte[] tagged(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    var out = new ByteArrayOutputStream(length + 6);
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] size = BigInteger.valueOf(length).toByteArray();
      int from = size[0] == 0 ? 1 : 0;
      out.write(0x80 | (size.length - from));
      out.write(size, from, size.length - from);
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** A key as PKCS#1 has it, in the envelope of PKCS#8, RFC 5208. */
  static byte[] rsaInPkcs8(byte[] pkcs1) {
    return sequence(integer(BigInteger.ZERO), RSA, octets(pkcs1));
  }
}
