package io.anabranch.frontend.tls;

import io.anabranch.rules.file.PlainFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
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
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.bc.BcPEMDecryptorProvider;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.util.encoders.DecoderException;

/** Certificates and keys in PEM, RFC 7468. */
final class Pem {

  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ([A-Z ]*)PRIVATE KEY-----.*?-----END \\1PRIVATE KEY-----", Pattern.DOTALL);

  private static final String UNKNOWN_FORM =
      "it is in no form that can be read; convert it with: openssl pkcs8 -topk8 -nocrypt";
  private static final String WRONG_PASSWORD = "it cannot be decrypted with the password given";

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
   * The first private key of the file in any form that OpenSSL writes: PKCS#8, RSA's and EC's older
   * ones, each encrypted or not.
   */
  static PrivateKey privateKey(Path file, String password)
      throws IOException, GeneralSecurityException {
    byte[] bytes = PlainFile.bytes(file, PlainFile.MOST_SECRET);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Matcher block = KEY.matcher(text);
    if (!block.find()) {
      throw new InvalidKeySpecException("there is no private key in it");
    }
    if (block.group(1).equals("ENCRYPTED ")) {
      var _ = required(password);
    }
    try (var parser = new PEMParser(new StringReader(block.group() + "\n"))) {
      return switch (parser.readObject()) {
        case PrivateKeyInfo plain -> key(plain);
        case PEMKeyPair older -> key(older.getPrivateKeyInfo());
        case PEMEncryptedKeyPair older -> key(decrypted(older, password));
        case PKCS8EncryptedPrivateKeyInfo encrypted ->
            key(decrypted(encrypted.getEncoded(), password));
        case null, default -> throw new InvalidKeySpecException(UNKNOWN_FORM);
      };
    } catch (PEMException | DecoderException e) {
      throw new InvalidKeySpecException(UNKNOWN_FORM, e);
    }
  }

  static String text(String label, byte[] der) {
    String lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
  }

  private static char[] required(String password) throws InvalidKeySpecException {
    if (password.isEmpty()) {
      throw new InvalidKeySpecException("it is encrypted; give proxy-frontend-ssl-key-password");
    }
    return password.toCharArray();
  }

  private static PrivateKeyInfo decrypted(PEMEncryptedKeyPair encrypted, String password)
      throws InvalidKeySpecException {
    var with = new BcPEMDecryptorProvider(required(password));
    try {
      return encrypted.decryptKeyPair(with).getPrivateKeyInfo();
    } catch (IOException e) {
      // with a wrong one it is no key, or no DER at all
      throw new InvalidKeySpecException(WRONG_PASSWORD, e);
    }
  }

  private static PKCS8EncodedKeySpec decrypted(byte[] encoded, String password)
      throws IOException, GeneralSecurityException {
    char[] secretWords = required(password);
    var info = new EncryptedPrivateKeyInfo(encoded);
    String algorithm =
        info.getAlgParameters() == null ? info.getAlgName() : info.getAlgParameters().toString();
    try {
      SecretKey secret =
          SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(secretWords));
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, secret, info.getAlgParameters());
      return info.getKeySpec(cipher);
    } catch (GeneralSecurityException e) {
      throw new InvalidKeySpecException(WRONG_PASSWORD, e);
    }
  }

  private static PrivateKey key(PrivateKeyInfo info) throws IOException, GeneralSecurityException {
    return key(new PKCS8EncodedKeySpec(info.getEncoded()));
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
