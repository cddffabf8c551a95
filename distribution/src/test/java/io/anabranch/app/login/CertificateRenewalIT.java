package io.anabranch.app.login;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.ReloadFolder;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that is renewed in its files is shown to new clients after a reload. */
@ExtendWith(MariaDbServers.Resolver.class)
class CertificateRenewalIT {

  private static final String SCHEMA = "it_renewal";
  private static final String STORE_PASSWORD = "store-secret";

  @TempDir private Path folder;

  /** Makes NAME.crt and NAME.key. */
  private void make(String name) throws Exception {
    Path store = folder.resolve(name + ".p12");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "SAN=ip:127.0.0.1",
                "-validity",
                "2",
                "-alias",
                name,
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, STORE_PASSWORD.toCharArray());
    }
    pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    pem(name + ".key", "PRIVATE KEY", keys.getKey(name, STORE_PASSWORD.toCharArray()).getEncoded());
  }

  private void pem(String file, String kind, byte[] content) throws IOException {
    Files.writeString(
        folder.resolve(file),
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(content), kind));
  }

  private void use(String name) throws IOException {
    Files.copy(
        folder.resolve(name + ".crt"),
        folder.resolve("server.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.copy(
        folder.resolve(name + ".key"),
        folder.resolve("server.key"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private Connection connect(RunningProxy proxy, String trusted) throws SQLException {
    return Driver.MARIADB.connect(
        proxy.port(),
        SCHEMA,
        RunningProxy.USER,
        RunningProxy.PASSWORD,
        "sslMode=verify-ca",
        "serverSslCert=" + folder.resolve(trusted + ".crt"));
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  void newClientsAreShownTheRenewedOne(MariaDbServers servers) throws Exception {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    make("former");
    make("latter");
    use("former");
    var files = new ReloadFolder(folder);
    files.global(
        ", proxy-frontend-ssl-enabled: true, proxy-frontend-ssl-cert-file: server.crt,"
            + " proxy-frontend-ssl-key-file: server.key");
    files.write("database-r.yaml", RunningProxy.passThrough(SCHEMA, server));
    try (RunningProxy proxy = RunningProxy.startFrom(folder);
        Connection before = connect(proxy, "former")) {
      assertThat(column(before, "SHOW CONFIGURATION DIFF")).isEmpty();

      Files.delete(folder.resolve("server.key"));
      assertThatThrownBy(() -> run(before, "RELOAD CONFIGURATION"))
          .hasMessageContaining("proxy-frontend-ssl-key-file")
          .hasMessageContaining("there is no such file");
      try (Connection next = connect(proxy, "former")) {
        assertThat(column(next, "SELECT 1")).containsExactly("1");
      }

      use("latter");
      assertThat(column(before, "SHOW CONFIGURATION DIFF").toString())
          .contains("proxy-frontend-ssl-cert-file", "changed");
      run(before, "RELOAD CONFIGURATION");
      assertThat(column(before, "SELECT 2")).containsExactly("2");
      assertThat(column(before, "SHOW CONFIGURATION DIFF")).isEmpty();
      try (Connection next = connect(proxy, "latter")) {
        assertThat(column(next, "SELECT 3")).containsExactly("3");
      }
      assertThatThrownBy(() -> connect(proxy, "former").close()).isInstanceOf(SQLException.class);
    }
  }
}
