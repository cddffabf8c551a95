package io.anabranch.app.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.MariaDbServer;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Users who must show a certificate that the proxy's authority has made. */
@ExtendWith(MariaDbServers.Resolver.class)
class ClientCertificateIT {

  private static final String SCHEMA = "it_certificate";
  private static final String STORE_PASSWORD = "store-secret";

  @TempDir private static Path folder;

  private static RunningProxy proxy;

  @BeforeAll
  static void start(MariaDbServers servers) throws Exception {
    MariaDbServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS " + SCHEMA, "CREATE DATABASE " + SCHEMA);
    newKey("known");
    newKey("stranger");
    Path authority = folder.resolve("authority.pem");
    keytool("known", "-exportcert", "-rfc", "-file", authority.toString());
    proxy =
        RunningProxy.startWith(
            """
            authority:
              users:
                - { user: certified, password: secret, require: X509, admin: true }
                - { user: plain, password: secret, admin: true }
              privilege: { type: ALL_PERMITTED }
            props:
              proxy-admin-port: 0
              proxy-frontend-executor-size: 2
              proxy-frontend-ssl-enabled: true
              proxy-frontend-ssl-ca-file: "%s"
            """
                .formatted(authority.toAbsolutePath()),
            RunningProxy.passThrough(SCHEMA, server));
  }

  @AfterAll
  static void stop() {
    proxy.close();
  }

  /** Signed by itself: who trusts it trusts nobody else. */
  private static void newKey(String name) throws Exception {
    keytool(name, "-genkeypair", "-keyalg", "EC", "-dname", "CN=" + name, "-validity", "2");
  }

  private static void keytool(String alias, String... arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", alias, "-keystore", store(alias)));
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", STORE_PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }

  private static String store(String name) {
    return folder.resolve(name + ".p12").toString();
  }

  private static String userWith(String user, String... options) throws SQLException {
    var all = new ArrayList<>(List.of("sslMode=trust"));
    all.addAll(List.of(options));
    try (Connection connection =
            Driver.MARIADB.connect(
                proxy.port(), SCHEMA, user, "secret", all.toArray(new String[0]));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT CURRENT_USER()")) {
      result.next();
      return result.getString(1);
    }
  }

  private static String[] key(String name) {
    return new String[] {
      "keyStore=" + store(name), "keyStorePassword=" + STORE_PASSWORD, "keyStoreType=PKCS12"
    };
  }

  @Test
  void whoShowsTheCertificateIsLetIn() throws SQLException {
    assertThat(Files.exists(Path.of(store("known")))).isTrue();
    assertThat(userWith("certified", key("known"))).startsWith("certified@");
    assertThat(userWith("plain", key("known"))).startsWith("plain@");
  }

  @Test
  void whoShowsNoneIsDenied() throws SQLException {
    assertThatThrownBy(() -> userWith("certified"))
        .isInstanceOfSatisfying(
            SQLException.class, denied -> assertThat(denied.getErrorCode()).isEqualTo(1045));
    assertThat(userWith("plain")).startsWith("plain@");
  }

  @Test
  void aStrangersCertificateIsNone() {
    assertThatThrownBy(() -> userWith("certified", key("stranger")))
        .isInstanceOf(SQLException.class);
  }
}
