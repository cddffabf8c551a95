package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.Ed25519Password;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.handshake.Sha256Crypt;
import io.anabranch.rules.model.Password;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.PublicKey;
import org.jspecify.annotations.Nullable;

/**
 * The digests of one password. Those of a password in clear are made when the rules are loaded: the
 * cache that gives caching_sha2_password its name is warm from the start. Of a hash, the digest for
 * the fast path is learned when a client has given the password itself. Thread-safe.
 */
final class Credential {

  private static final byte[] NONE = {};

  private final byte[] nativeDigest;
  private final Password.@Nullable Sha2Hash slow;
  private final @Nullable PublicKey publicKey;
  private volatile byte @Nullable [] sha2Digest;

  private Credential(
      byte[] nativeDigest,
      Password.@Nullable Sha2Hash slow,
      byte @Nullable [] sha2Digest,
      @Nullable PublicKey publicKey) {
    this.nativeDigest = nativeDigest;
    this.slow = slow;
    this.sha2Digest = sha2Digest;
    this.publicKey = publicKey;
  }

  /**
   * @param signs clients prove it by signatures
   */
  static Credential of(Password password, boolean signs) {
    return switch (password) {
      case Password.Plain(String text) -> {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        yield new Credential(
            NativePassword.digest(bytes),
            null,
            CachingSha2.digest(bytes),
            signs ? Ed25519Password.publicKey(bytes) : null);
      }
      case Password.NativeHash(byte[] digest) -> new Credential(digest, null, null, null);
      case Password.OfNobody _ -> new Credential(NONE, null, null, null);
      case Password.Sha2Hash hash -> new Credential(NONE, hash, null, null);
    };
  }

  /** SHA1(SHA1(password)); empty where it is not known, which no response proves. */
  byte[] nativeDigest() {
    return nativeDigest;
  }

  /** Of client_ed25519; null: the account does not use it. */
  @Nullable PublicKey publicKey() {
    return publicKey;
  }

  /** SHA256(SHA256(password)); null while it is not known. */
  byte @Nullable [] sha2Digest() {
    return sha2Digest;
  }

  boolean verifyPlain(byte[] password) {
    Password.Sha2Hash hash = slow;
    if (hash == null) {
      byte[] digest = sha2Digest;
      return digest != null && MessageDigest.isEqual(CachingSha2.digest(password), digest);
    }
    byte[] computed = Sha256Crypt.hash(password, hash.salt(), hash.rounds());
    boolean equal = MessageDigest.isEqual(computed, hash.digest());
    if (equal) {
      sha2Digest = CachingSha2.digest(password);
    }
    return equal;
  }
}
