package io.anabranch.protocol.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PasswordsTest {

  private static final byte[] NONCE = ascii("abcdefghijklmnopqrst");
  private static final byte[] PASSWORD = ascii("secret");

  /** {@code SELECT PASSWORD('password')}, as many manuals print it. */
  @Test
  void nativeDigestIsWhatPasswordPrints() {
    assertThat(NativePassword.digest(ascii("password")))
        .isEqualTo(HexFormat.of().parseHex("2470c0c06dee42fd1618bb99005adca2ec9d1e19"));
  }

  /** Values computed with Python's hashlib. */
  @Test
  void responsesAreWhatOthersCompute() {
    assertThat(NativePassword.scramble(PASSWORD, NONCE))
        .isEqualTo(HexFormat.of().parseHex("8817c50fa779daef010ee7577825b0847df9842e"));
    assertThat(CachingSha2.scramble(PASSWORD, NONCE))
        .isEqualTo(
            HexFormat.of()
                .parseHex("c76e2898612a4cf042c77fa8c4702c4c64c0c2c557c53c4d75595aaa6abae809"));
    assertThat(CachingSha2.digest(new byte[0]))
        .isEqualTo(
            HexFormat.of()
                .parseHex("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456"));
  }

  @Test
  void nativeScramble() {
    byte[] digest = NativePassword.digest(PASSWORD);
    byte[] response = NativePassword.scramble(PASSWORD, NONCE);
    assertThat(NativePassword.verify(response, NONCE, digest)).isTrue();
    assertThat(NativePassword.verify(flipped(response), NONCE, digest)).isFalse();
    assertThat(NativePassword.verify(response, flipped(NONCE), digest)).isFalse();
    assertThat(NativePassword.verify(response, NONCE, flipped(digest))).isFalse();
    assertThat(NativePassword.verify(new byte[0], NONCE, digest)).isFalse();
    assertThat(NativePassword.verify(new byte[64], NONCE, digest)).isFalse();
    assertThat(NativePassword.scramble(new byte[0], NONCE)).isEmpty();
  }

  @Test
  void sha2Scramble() {
    byte[] digest = CachingSha2.digest(PASSWORD);
    byte[] response = CachingSha2.scramble(PASSWORD, NONCE);
    assertThat(response).hasSize(32);
    assertThat(CachingSha2.verify(response, NONCE, digest)).isTrue();
    assertThat(CachingSha2.verify(flipped(response), NONCE, digest)).isFalse();
    assertThat(CachingSha2.verify(response, flipped(NONCE), digest)).isFalse();
    assertThat(CachingSha2.verify(new byte[0], NONCE, digest)).isFalse();
    assertThat(CachingSha2.scramble(new byte[0], NONCE)).isEmpty();
  }

  @Test
  void passwordsEncryptedWithTheServersKey() throws GeneralSecurityException {
    KeyPair pair = CachingSha2.generateKeyPair();
    byte[] encrypted = CachingSha2.encrypt(PASSWORD, NONCE, pair.getPublic());
    assertThat(CachingSha2.decrypt(encrypted, NONCE, pair.getPrivate())).isEqualTo(PASSWORD);
    assertThat(CachingSha2.decrypt(flipped(encrypted), NONCE, pair.getPrivate())).isNull();
    assertThat(CachingSha2.decrypt(new byte[3], NONCE, pair.getPrivate())).isNull();
    assertThat(CachingSha2.pem(pair.getPublic()))
        .startsWith("-----BEGIN PUBLIC KEY-----\nMIIBIj")
        .endsWith("\n-----END PUBLIC KEY-----\n");
  }

  @Test
  void passwordsInClearEndWithNul() {
    assertThat(CachingSha2.withoutNul(ascii("secret\0"))).isEqualTo(PASSWORD);
    assertThat(CachingSha2.withoutNul(PASSWORD)).isNull();
    assertThat(CachingSha2.withoutNul(new byte[0])).isNull();
  }

  @Test
  void passwordsOfMoreThan256BytesAreNone() {
    assertThat(CachingSha2.withoutNul(ascii("x".repeat(256) + "\0"))).hasSize(256);
    assertThat(CachingSha2.withoutNul(ascii("x".repeat(257) + "\0"))).isNull();
  }

  private static byte[] flipped(byte[] bytes) {
    byte[] copy = bytes.clone();
    copy[copy.length / 2] ^= 1;
    return copy;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
