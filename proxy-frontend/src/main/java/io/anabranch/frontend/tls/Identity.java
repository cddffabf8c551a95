package io.anabranch.frontend.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Who the proxy is to its clients.
 *
 * @param chain the own certificate first; not empty
 */
record Identity(PrivateKey key, List<X509Certificate> chain) {

  Identity {
    chain = List.copyOf(chain);
  }

  /**
   * @throws GeneralSecurityException if the key is not that of the certificate
   */
  void check() throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          case "RSASSA-PSS" -> "";
          default ->
              throw new GeneralSecurityException("keys of " + key.getAlgorithm() + " do not fit");
        };
    if (algorithm.isEmpty()) {
      return;
    }
    byte[] probe = "anabranch".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(probe);
    byte[] signed = signature.sign();
    boolean fits;
    try {
      signature.initVerify(chain.getFirst().getPublicKey());
      signature.update(probe);
      fits = signature.verify(signed);
    } catch (GeneralSecurityException e) {
      fits = false;
    }
    if (!fits) {
      throw new GeneralSecurityException("it is not the key of the certificate");
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return chain.getFirst().getSubjectX500Principal().getName();
  }
}
