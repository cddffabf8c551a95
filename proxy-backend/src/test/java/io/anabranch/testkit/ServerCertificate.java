package io.anabranch.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-made certificate for {@code localhost}, made by the JDK's keytool, with which a server
 * speaks TLS.
 *
 * @param certificate PEM file
 * @param key PEM file, PKCS #8
 */
public record ServerCertificate(Path certificate, Path key) {

  private static final String PASSWORD = "not-secret";
  private static final String ALIAS = "server";

  /** Makes a new one in {@code directory}, replacing one that is there. */
  public static ServerCertificate create(Path directory) {
    try {
      Files.createDirectories(directory);
      Path store = directory.resolve("server.p12");
      Files.deleteIfExists(store);
      generate(store);
      var keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      return new ServerCertificate(
          pem(
              directory.resolve("server.crt"),
              "CERTIFICATE",
              keys.getCertificate(ALIAS).getEncoded()),
          pem(
              directory.resolve("server.key"),
              "PRIVATE KEY",
              keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Options for {@link MariaDbServer#start}. */
  public String[] options() {
    return new String[] {
      "--ssl-cert=" + certificate.toAbsolutePath(), "--ssl-key=" + key.toAbsolutePath()
    };
  }

  private static void generate(Path store) throws IOException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-validity",
                "3650",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=DNS:localhost,IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (keytool.waitFor() != 0) {
        throw new IllegalStateException("keytool: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while keytool ran", e);
    }
  }

  private static Path pem(Path file, String what, byte[] content) throws IOException {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
  }
}
