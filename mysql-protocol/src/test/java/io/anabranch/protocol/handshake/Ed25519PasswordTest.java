package io.anabranch.protocol.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Ed25519PasswordTest {

  private static byte[] encoded(PublicKey key) {
    byte[] der = key.getEncoded();
    return Arrays.copyOfRange(der, der.length - 32, der.length);
  }

  /** The first vector of RFC 8032, 7.1: a seed of 32 bytes is a password, too. */
  @Test
  void theKeyIsThatOfTheStandard() {
    byte[] seed =
        HexFormat.of().parseHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    assertThat(HexFormat.of().formatHex(encoded(Ed25519Password.publicKey(seed))))
        .isEqualTo("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  }

  /** {@code ed25519_password('secret')} of MariaDB's documentation. */
  @Test
  void theKeyIsThatOfMariaDb() {
    byte[] password = "secret".getBytes(StandardCharsets.UTF_8);
    assertThat(
            Base64.getEncoder()
                .withoutPadding()
                .encodeToString(encoded(Ed25519Password.publicKey(password))))
        .isEqualTo("ZIgUREUg5PVgQ6LskhXmO+eZLS0nC8be6HPjYWR4YJY");
  }

  @Test
  void signaturesOfTheNonceAloneAreGood() throws Exception {
    byte[] seed = new byte[32];
    Arrays.fill(seed, (byte) 'x');
    byte[] nonce = "n".repeat(Ed25519Password.NONCE_LENGTH).getBytes(StandardCharsets.UTF_8);
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(
        KeyFactory.getInstance("Ed25519")
            .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
    signature.update(nonce);
    byte[] response = signature.sign();
    PublicKey key = Ed25519Password.publicKey(seed);
    assertThat(Ed25519Password.verify(response, nonce, key)).isTrue();
    nonce[0]++;
    assertThat(Ed25519Password.verify(response, nonce, key)).isFalse();
    Arrays.fill(response, (byte) 0xFF);
    assertThat(Ed25519Password.verify(response, nonce, key)).isFalse();
    assertThat(Ed25519Password.verify(new byte[0], nonce, key)).isFalse();
  }
}
