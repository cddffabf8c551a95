package io.anabranch.ldap;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whose certificates a directory may have: those of a file, or as Java knows them. */
record Trust(SSLSocketFactory sockets) {

  /** What is wrong is reported, and Java's own authorities stand in. */
  static Trust of(AlgorithmProperties props) {
    String authorities = props.text("ca-file", "");
    String store = props.text("trust-store", "");
    String password = props.text("trust-store-password", "");
    if (!authorities.isEmpty() && !store.isEmpty()) {
      props.problem("trust-store", "beside ca-file: name one of them");
    }
    KeyStore keys = null;
    if (!authorities.isEmpty() && isPlace(props, "ca-file", authorities)) {
      keys = pem(props, Path.of(authorities));
    } else if (!store.isEmpty() && isPlace(props, "trust-store", store)) {
      keys = store(props, new File(store), password);
    }
    try {
      return new Trust(sockets(keys));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("TLS cannot be used: " + e.getMessage(), e);
    }
  }

  private static SSLSocketFactory sockets(@Nullable KeyStore keys) throws GeneralSecurityException {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls.getSocketFactory();
  }

  /** Nobody knows where relative ones begin. */
  private static boolean isPlace(AlgorithmProperties props, String name, String path) {
    boolean is = Path.of(path).isAbsolute();
    if (!is) {
      props.problem(name, "write the whole path, from / on");
    }
    return is;
  }

  private static @Nullable KeyStore pem(AlgorithmProperties props, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        keys.setCertificateEntry("ca-" + count++, each);
      }
      if (count > 0) {
        return keys;
      }
      props.problem("ca-file", "has no certificates in PEM");
    } catch (IOException | GeneralSecurityException e) {
      props.problem("ca-file", "cannot be read: " + e.getClass().getSimpleName());
    }
    return null;
  }

  private static @Nullable KeyStore store(AlgorithmProperties props, File file, String password) {
    try {
      return KeyStore.getInstance(file, password.toCharArray());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      props.problem(
          "trust-store", "cannot be opened with its password: " + e.getClass().getSimpleName());
      return null;
    }
  }
}
