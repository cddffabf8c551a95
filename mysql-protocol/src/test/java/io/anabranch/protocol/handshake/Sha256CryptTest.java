package io.anabranch.protocol.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Sha256CryptTest {

  /** As {@code openssl passwd -5} prints them. */
  @ParameterizedTest
  @CsvSource({
    "Hello world!, saltstring, 5000, 5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5",
    "Hello world!, saltstringsaltst, 10000, 3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA",
    "we have a short salt string but not a short password, short, 5000,"
        + " k38kpRP0CfxHLIcmymaSTFLK.iFfF4tKryDuEGKp6SC",
  })
  void publishedHashes(String password, String salt, int rounds, String hash) {
    assertThat(hash(password, bytes(salt), rounds)).isEqualTo(hash);
  }

  /** As MySQL 8 keeps it. */
  @ParameterizedTest
  @CsvSource({
    "foobar,"
        + " 24412430303524031A69251C34295C4B35167C7F1E5A7B63091349503974624D34504B5A424679354856336868686F52485A736E4A733368786E427575516C73446469496537",
    "password,"
        + " 244124303035246C4F1E0D5D1631594F5C56701F3D327D073A724C706273307A5965516C7756576B317A5064687A715347765747746B66746A5A4F6E384C41756E6750495330",
  })
  void hashesOfMySql(String password, String form) {
    byte[] kept = HexFormat.of().parseHex(form);
    byte[] salt = Arrays.copyOfRange(kept, 7, 27);
    String digest = new String(kept, 27, 43, StandardCharsets.US_ASCII);
    assertThat(hash(password, salt, 5000)).isEqualTo(digest);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hash(String password, byte[] salt, int rounds) {
    return new String(Sha256Crypt.hash(bytes(password), salt, rounds), StandardCharsets.US_ASCII);
  }
}
