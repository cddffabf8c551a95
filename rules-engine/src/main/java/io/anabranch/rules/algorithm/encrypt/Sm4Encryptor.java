package io.anabranch.rules.algorithm.encrypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.SM4Engine;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.paddings.PaddedBufferedBlockCipher;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * {@code SM4} (GB/T 32907) as ShardingSphere stores it: hexadecimal digits of ECB, or of CBC with
 * one and the same initial vector. The same text is always stored alike.
 */
final class Sm4Encryptor implements Encryptor {

  static final String TYPE = "SM4";

  private static final String KEY = "sm4-key";
  private static final String VECTOR = "sm4-iv";
  private static final String MODE = "sm4-mode";
  private static final String PADDING = "sm4-padding";

  /** For blocks of 16 bytes they are the same. */
  private static final Set<String> PADDINGS = Set.of("PKCS5PADDING", "PKCS7PADDING");

  private static final int BLOCK_BYTES = 16;

  private final boolean isChained;
  private final CipherParameters parameters;

  private Sm4Encryptor(boolean isChained, CipherParameters parameters) {
    this.isChained = isChained;
    this.parameters = parameters;
  }

  static Encryptor create(AlgorithmProperties properties) {
    byte[] key = block(properties, KEY);
    String mode = properties.requiredText(MODE).toUpperCase(Locale.ROOT);
    boolean isChained = mode.equals("CBC");
    if (!isChained && !mode.isEmpty() && !mode.equals("ECB")) {
      properties.problem(MODE, "must be CBC or ECB");
    }
    byte[] vector = isChained ? block(properties, VECTOR) : new byte[BLOCK_BYTES];
    if (!isChained) {
      // ShardingSphere reads it with CBC alone
      properties.text(VECTOR, "");
    }
    String padding = properties.requiredText(PADDING);
    if (!padding.isEmpty() && !PADDINGS.contains(padding.toUpperCase(Locale.ROOT))) {
      properties.problem(PADDING, "must be PKCS5Padding or PKCS7Padding");
    }
    properties.check();
    CipherParameters withKey = new KeyParameter(key);
    return new Sm4Encryptor(isChained, isChained ? new ParametersWithIV(withKey, vector) : withKey);
  }

  private static byte[] block(AlgorithmProperties properties, String name) {
    String digits = properties.requiredText(name);
    try {
      byte[] bytes = HexFormat.of().parseHex(digits);
      if (bytes.length == BLOCK_BYTES) {
        return bytes;
      }
    } catch (IllegalArgumentException _) {
      // told below, without the text
    }
    if (!digits.isEmpty()) {
      properties.problem(name, "must be 16 bytes in 32 hexadecimal digits");
    }
    return new byte[BLOCK_BYTES];
  }

  private byte[] apply(boolean isEncrypting, byte[] bytes) throws InvalidCipherTextException {
    BlockCipher blocks = new SM4Engine();
    var cipher =
        new PaddedBufferedBlockCipher(isChained ? CBCBlockCipher.newInstance(blocks) : blocks);
    cipher.init(isEncrypting, parameters);
    byte[] result = new byte[cipher.getOutputSize(bytes.length)];
    int length = cipher.processBytes(bytes, 0, bytes.length, result, 0);
    length += cipher.doFinal(result, length);
    return Arrays.copyOf(result, length);
  }

  @Override
  public String encrypt(String plain) {
    try {
      return HexFormat.of().formatHex(apply(true, plain.getBytes(UTF_8)));
    } catch (InvalidCipherTextException e) {
      throw new IllegalStateException("SM4 does not encrypt", e);
    }
  }

  @Override
  public Decryptor decryptor() {
    return stored -> {
      byte[] bytes = StoredBytes.ofDigits(stored);
      try {
        return new String(apply(false, bytes), UTF_8);
      } catch (InvalidCipherTextException | RuntimeException e) {
        throw new IllegalArgumentException("it was encrypted with another key, or is damaged", e);
      }
    };
  }
}
