package io.anabranch.protocol.handshake;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;

/**
 * MariaDB's {@code client_ed25519}: the client signs a nonce, the server keeps the public key. The
 * secret scalar is that of RFC 8032, made of the password itself, of whatever length, in the place
 * of a seed of 32 bytes.
 *
 * <p>See <a href="https://mariadb.com/kb/en/authentication-plugin-ed25519/">Authentication Plugin -
 * ed25519</a> and <a href="https://www.rfc-editor.org/rfc/rfc8032#section-5.1">RFC 8032</a>.
 */
public final class Ed25519Password {

  public static final String PLUGIN = "client_ed25519";

  /** Bytes of the nonce that clients sign. */
  public static final int NONCE_LENGTH = 32;

  private static final int SIGNATURE_LENGTH = 64;
  private static final int SCALAR_LENGTH = 32;

  private static final BigInteger P = BigInteger.TWO.pow(255).subtract(BigInteger.valueOf(19));

  private static final BigInteger D =
      BigInteger.valueOf(-121_665).multiply(BigInteger.valueOf(121_666).modInverse(P)).mod(P);

  /** The base point. */
  private static final Point BASE = base();

  private Ed25519Password() {}

  /** A point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z. */
  private record Point(BigInteger x, BigInteger y, BigInteger z, BigInteger t) {

    static Point of(BigInteger x, BigInteger y) {
      return new Point(x, y, BigInteger.ONE, x.multiply(y).mod(P));
    }

    /** RFC 8032, 5.1.4; also of a point to itself. */
    Point plus(Point other) {
      BigInteger a = y.subtract(x).multiply(other.y.subtract(other.x)).mod(P);
      BigInteger b = y.add(x).multiply(other.y.add(other.x)).mod(P);
      BigInteger c = t.multiply(BigInteger.TWO).multiply(D).multiply(other.t).mod(P);
      BigInteger d = z.multiply(BigInteger.TWO).multiply(other.z).mod(P);
      BigInteger e = b.subtract(a);
      BigInteger f = d.subtract(c);
      BigInteger g = d.add(c);
      BigInteger h = b.add(a);
      return new Point(
          e.multiply(f).mod(P), g.multiply(h).mod(P), f.multiply(g).mod(P), e.multiply(h).mod(P));
    }

    Point times(BigInteger factor) {
      Point sum = of(BigInteger.ZERO, BigInteger.ONE);
      for (int bit = factor.bitLength() - 1; bit >= 0; bit--) {
        sum = sum.plus(sum);
        if (factor.testBit(bit)) {
          sum = sum.plus(this);
        }
      }
      return sum;
    }
  }

  private static Point base() {
    BigInteger y = BigInteger.valueOf(4).multiply(BigInteger.valueOf(5).modInverse(P)).mod(P);
    BigInteger square = y.multiply(y).mod(P);
    BigInteger ratio =
        square
            .subtract(BigInteger.ONE)
            .multiply(D.multiply(square).add(BigInteger.ONE).modInverse(P))
            .mod(P);
    BigInteger x = ratio.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
    if (!x.multiply(x).mod(P).equals(ratio)) {
      BigInteger root = BigInteger.TWO.modPow(P.subtract(BigInteger.ONE).shiftRight(2), P);
      x = x.multiply(root).mod(P);
    }
    return Point.of(x.testBit(0) ? P.subtract(x) : x, y);
  }

  /** What the server keeps. Takes some milliseconds. */
  public static PublicKey publicKey(byte[] password) {
    Point point = BASE.times(scalar(password));
    BigInteger inverse = point.z().modInverse(P);
    BigInteger x = point.x().multiply(inverse).mod(P);
    BigInteger y = point.y().multiply(inverse).mod(P);
    try {
      return KeyFactory.getInstance("Ed25519")
          .generatePublic(
              new EdECPublicKeySpec(NamedParameterSpec.ED25519, new EdECPoint(x.testBit(0), y)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has Ed25519", e);
    }
  }

  /** Little-endian, with the bits set that RFC 8032 sets. */
  private static BigInteger scalar(byte[] password) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-512").digest(password);
      byte[] bigEndian = new byte[SCALAR_LENGTH];
      for (int i = 0; i < SCALAR_LENGTH; i++) {
        bigEndian[SCALAR_LENGTH - 1 - i] = hash[i];
      }
      return new BigInteger(1, bigEndian)
          .clearBit(0)
          .clearBit(1)
          .clearBit(2)
          .clearBit(255)
          .setBit(254);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has SHA-512", e);
    }
  }

  /** Whether {@code response} is the nonce signed by who knows the password of {@code key}. */
  public static boolean verify(byte[] response, byte[] nonce, PublicKey key) {
    if (response.length != SIGNATURE_LENGTH) {
      return false;
    }
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update(nonce);
      return signature.verify(response);
    } catch (SignatureException _) {
      // no signature at all: bytes of a client are anything
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has Ed25519", e);
    }
  }
}
