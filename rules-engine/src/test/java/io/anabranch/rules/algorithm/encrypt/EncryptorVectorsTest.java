package io.anabranch.rules.algorithm.encrypt;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.rules.algorithm.InvalidPropertiesException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored, against vectors of ShardingSphere and of the standards. */
class EncryptorVectorsTest {

  private final EncryptorCatalogue catalogue = new EncryptorCatalogue(List.of());

  private static String decrypted(Encryptor encryptor, String stored) {
    return requireNonNull(encryptor.decryptor()).decrypt(stored);
  }

  @Test
  void storesAesAsShardingSphere() {
    Encryptor aes = catalogue.encryptor("AES", Map.of("aes-key-value", "test"));
    assertThat(aes.encrypt("test")).isEqualTo("dSpPiyENQGDUXMKFMJPGWA==");
    assertThat(decrypted(aes, "dSpPiyENQGDUXMKFMJPGWA==")).isEqualTo("test");
    // again with the same ciphers
    assertThat(aes.encrypt("test")).isEqualTo("dSpPiyENQGDUXMKFMJPGWA==");
  }

  @Test
  void storesRc4AsShardingSphere() {
    Encryptor rc4 = catalogue.encryptor("RC4", Map.of("rc4-key-value", "test-sharding"));
    assertThat(rc4.encrypt("test")).isEqualTo("4Tn7lQ==");
    assertThat(decrypted(rc4, "4Tn7lQ==")).isEqualTo("test");
  }

  @ParameterizedTest
  @CsvSource({
    "MD5, '', test, 098f6bcd4621d373cade4e832627b4f6",
    "MD5, c, ab, 900150983cd24fb0d6963f7d28e17f72",
    "SHA256, '', abc, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "SHA256, c, ab, ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  })
  void digests(String type, String salt, String plain, String stored) {
    Encryptor digest = catalogue.encryptor(type, Map.of("salt", salt));
    assertThat(digest.encrypt(plain)).isEqualTo(stored);
    assertThat(digest.decryptor()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "'', abc, 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
    "'', test1234, ab847c6f2f6a53be88808c5221bd6ee0762e1af1def82b21d2061599b6cf5c79",
    "test1234, test1234, 9587fe084ee4b53fe629c6ae5519ee4d55def8ed4badc8588d3be9b99bd84aba"
  })
  void digestsBySm3AsShardingSphere(String salt, String plain, String stored) {
    Encryptor digest = catalogue.encryptor("SM3", Map.of("sm3-salt", salt));
    assertThat(digest.encrypt(plain)).isEqualTo(stored);
    assertThat(digest.decryptor()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "4D744E003D713D054E7E407C350E447E, ECB, PKCS5Padding, '',"
        + " test, 028654f2ca4f575dee9e1faae85dadde",
    "f201326119911788cFd30575b81059ac, cbc, PKCS7Padding, e166c3391294E69cc4c620f594fe00d7,"
        + " test, dca2127b57ba8cac36a0914e0208dc11"
  })
  void storesSm4AsShardingSphere(
      String key, String mode, String padding, String vector, String plain, String stored) {
    Encryptor sm4 =
        catalogue.encryptor(
            "SM4",
            Map.of("sm4-key", key, "sm4-mode", mode, "sm4-padding", padding, "sm4-iv", vector));
    assertThat(sm4.encrypt(plain)).isEqualTo(stored);
    assertThat(decrypted(sm4, stored)).isEqualTo(plain);
    assertThat(sm4.encrypt(plain)).isEqualTo(stored);
  }

  /** RFC 4231, test case 2. */
  @Test
  void computesHmac() {
    Encryptor hmac = catalogue.encryptor("HMAC_SHA256", Map.of("hmac-key-value", "Jefe"));
    assertThat(hmac.encrypt("what do ya want for nothing?"))
        .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }

  @Test
  void digestsCharactersAsShardingSphere() {
    Encryptor like = catalogue.encryptor("CHAR_DIGEST_LIKE", Map.of());
    assertThat(like.encrypt("1234567890%abcdefghijklmnopqrstuvwxyz%ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        .isEqualTo("0145458981%`adedehihilmlmpqpqtutuxyxy%@ADEDEHIHILMLMPQPQTUTUXYXY");
    assertThat(like.encrypt("_1234__5678__")).isEqualTo("_0145__4589__");
    Encryptor korean =
        catalogue.encryptor(
            "CHAR_DIGEST_LIKE", Map.of("dict", "\ud55c\uad6d\uc5b4\uc2dc\ud5d8", "start", "44032"));
    assertThat(korean.encrypt("\ud55c\uad6d")).isEqualTo("\uac01\uac00");
    assertThat(like.isForPatterns()).isTrue();
    assertThatThrownBy(() -> like.encrypt("\u4e2d")).hasMessageContaining("dict");
  }

  /** U+89FF to U+91FE would become halves of characters beyond the first plane. */
  @Test
  void digestsOfCharactersAreWholeCharacters() {
    Encryptor like =
        catalogue.encryptor("CHAR_DIGEST_LIKE", Map.of("mask", "65535", "dict", "\u6c49"));
    for (int c = 256; c < Character.MIN_SURROGATE; c++) {
      String digest = like.encrypt(String.valueOf((char) c));
      assertThat(digest).hasSize(1);
      assertThat(Character.isSurrogate(digest.charAt(0))).as("%x", c).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "0123456789abcdef", "\u00e4\u6c49\ud83d\ude00 '\"\\"})
  void givesValuesBack(String plain) {
    Encryptor aes =
        catalogue.encryptor(
            "AES", Map.of("aes-key-value", "k", "digest-algorithm-name", "SHA-256"));
    Encryptor gcm = catalogue.encryptor("AES_GCM", Map.of("key-id", "a", "key-value-a", "secret"));
    Encryptor sm4 =
        catalogue.encryptor(
            "SM4",
            Map.of(
                "sm4-key", "4D744E003D713D054E7E407C350E447E",
                "sm4-mode", "ECB",
                "sm4-padding", "PKCS7Padding"));
    for (Encryptor each : List.of(aes, gcm, sm4)) {
      String stored = each.encrypt(plain);
      assertThat(stored).matches("[\\x20-\\x7e]+");
      assertThat(decrypted(each, stored)).isEqualTo(plain);
    }
    assertThat(gcm.encrypt(plain)).isNotEqualTo(gcm.encrypt(plain));
  }

  @Test
  void readsWhatOlderKeysStored() {
    Encryptor old = catalogue.encryptor("AES_GCM", Map.of("key-id", "a", "key-value-a", "one"));
    Encryptor rotated =
        catalogue.encryptor(
            "AES_GCM", Map.of("key-id", "b", "key-value-a", "one", "key-value-b", "two"));
    String stored = old.encrypt("value");
    assertThat(decrypted(rotated, stored)).isEqualTo("value");
    assertThat(rotated.encrypt("value")).startsWith("b:");
    assertThatThrownBy(() -> decrypted(old, rotated.encrypt("value")))
        .isInstanceOf(IllegalArgumentException.class);
    String damaged =
        stored.substring(0, 4) + (stored.charAt(4) == 'A' ? 'B' : 'A') + stored.substring(5);
    assertThatThrownBy(() -> decrypted(old, damaged)).isInstanceOf(IllegalArgumentException.class);
    // the id is a part of what is proved
    assertThatThrownBy(() -> decrypted(rotated, "b" + stored.substring(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void saysNothingOfWhatItCannotRead() {
    Encryptor aes = catalogue.encryptor("AES", Map.of("aes-key-value", "test"));
    Encryptor sm4 =
        catalogue.encryptor(
            "SM4",
            Map.of(
                "sm4-key", "f201326119911788cFd30575b81059ac",
                "sm4-iv", "e166c3391294E69cc4c620f594fe00d7",
                "sm4-mode", "CBC",
                "sm4-padding", "PKCS5Padding"));
    for (String stored :
        List.of("not Base64: secret", "MyOShk4kjRnds7CZfFCCmQ==", "AAAA", "028654f2ca4f575d")) {
      for (Encryptor each : List.of(aes, sm4)) {
        assertThatThrownBy(() -> decrypted(each, stored))
            .isInstanceOf(IllegalArgumentException.class)
            .satisfies(e -> assertThat(e.getMessage()).doesNotContain(stored, "secret"));
      }
    }
  }

  @Test
  void refusesWhatItCannotWorkWith() {
    for (Map<String, String> properties :
        List.of(
            Map.<String, String>of(),
            Map.of("aes-key-value", " "),
            Map.of("aes-key-value", "k", "digest-algorithm-name", "SHA-0"),
            Map.of("aes-key-value", "k", "aes-key", "k"))) {
      assertThatThrownBy(() -> catalogue.encryptor("AES", properties))
          .isInstanceOf(InvalidPropertiesException.class);
    }
    assertThatThrownBy(
            () -> catalogue.encryptor("AES_GCM", Map.of("key-id", "b", "key-value-a", "x")))
        .hasMessageContaining("key-value-b");
    assertThatThrownBy(() -> catalogue.encryptor("RC4", Map.of("rc4-key-value", "x")))
        .hasMessageContaining("5 to 128");
  }
}
