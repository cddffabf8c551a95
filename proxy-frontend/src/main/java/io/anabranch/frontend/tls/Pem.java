package io.anabranch.frontend.tls;

import io.anabranch.rules.file.PlainFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Certificates and keys in PEM, RFC 7468. */
final class Pem {

  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]+)-----END \\1PRIVATE KEY-----");

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");
  private static final int LINE = 64;

  private Pem() {}

  /** All certificates of the file, in its order; at least one. */
  static List<X509Certificate> certificates(Path file)
      throws IOException, GeneralSecurityException {
    byte[] bytes = PlainFile.bytes(file, PlainFile.MOST_SECRET);
    List<X509Certificate> certificates = new ArrayList<>();
    for (Certificate each :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(bytes))) {
      certificates.add((X509Certificate) each);
    }
    if (certificates.isEmpty()) {
      throw new CertificateException("there is no certificate in it");
    }
    return certificates;
  }

  /**
   * The first private key of the file: PKCS#8, encrypted or not, or RSA's older form, which MySQL's
   * own tools write.
   */
  static PrivateKey privateKey(Path file, String password)
      throws IOException, GeneralSecurityException {
    byte[] bytes = PlainFile.bytes(file, PlainFile.MOST_SECRET);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Matcher block = KEY.matcher(text);
    if (!block.find()) {
      throw new InvalidKeySpecException("there is no private key in it");
    }
    byte[] encoded;
    try {
      encoded = Base64.getMimeDecoder().decode(block.group(2).strip());
    } catch (IllegalArgumentException e) {
      throw new InvalidKeySpecException("the key is not in base 64", e);
    }
    return switch (block.group(1)) {
      case "" -> key(new PKCS8EncodedKeySpec(encoded));
      case "ENCRYPTED " -> key(decrypted(encoded, password));
      case "RSA " -> key(new PKCS8EncodedKeySpec(Der.rsaInPkcs8(encoded)));
      default ->
          throw new InvalidKeySpecException(
              "the form '"
                  + block.group(1)
                  + "PRIVATE KEY' is not supported; convert it with: openssl pkcs8 -topk8 -nocrypt");
    };
  }

  static String text(String label, byte[] der) {
    String lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  private static PKCS8EncodedKeySpec decrypted(byte[] encoded, String password)
      throws IOException, GeneralSecurityException {
    if (password.isEmpty()) {
      throw new InvalidKeySpecException("it is encrypted; give proxy-frontend-ssl-key-password");
    }
    var info = new EncryptedPrivateKeyInfo(encoded);
    String algorithm =
        info.getAlgParameters() == null ? info.getAlgName() : info.getAlgParameters().toString();
    try {
      SecretKey secret =
          SecretKeyFactory.getInstance(algorithm)
              .generateSecret(new PBEKeySpec(password.toCharArray()));
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, secret, info.getAlgParameters());
      return info.getKeySpec(cipher);
    } catch (GeneralSecurityException e) {
      throw new InvalidKeySpecException("it cannot be decrypted with the password given", e);
    }
  }

  private static PrivateKey key(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    var failure = new InvalidKeySpecException("it is a key of none of " + ALGORITHMS);
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }
}
