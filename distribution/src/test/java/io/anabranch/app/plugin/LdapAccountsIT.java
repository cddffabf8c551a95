package io.anabranch.app.plugin;

import static io.anabranch.app.fixture.ReloadFolder.column;
import static io.anabranch.app.fixture.ReloadFolder.one;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.JdbcConnection;
import io.anabranch.app.fixture.Eventually;
import io.anabranch.app.fixture.ProxyProcess;
import io.anabranch.app.fixture.RunningProxy;
import io.anabranch.app.fixture.RunningProxy.Driver;
import io.anabranch.testkit.DatabaseServer;
import io.anabranch.testkit.DatabaseServers;
import io.anabranch.testkit.MariaDbServers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** People of a directory log in to a proxy that has the LDAP plug-in as it is shipped. */
@Tag("both")
@ExtendWith(MariaDbServers.Resolver.class)
class LdapAccountsIT {

  private static final String SCHEMA = "it_ldap";
  private static final String ROLES = "{ writers: writer, readers: reader, Analysts: reader }";

  @TempDir private static Path home;
  private static Path conf;
  private static Directory directory;
  private static ProxyProcess proxy;

  @BeforeAll
  static void start(DatabaseServers servers) throws Exception {
    DatabaseServer server = servers.primaryA();
    server.execute("DROP DATABASE IF EXISTS it_ldap");
    server.execute("CREATE DATABASE it_ldap");
    server.execute("CREATE TABLE it_ldap.t (id INT PRIMARY KEY, name VARCHAR(40))");
    server.execute("INSERT INTO it_ldap.t VALUES (1, 'Lovelace')");
    directory = Directory.start(home);
    install();
    conf = Files.createDirectories(home.resolve("conf"));
    Files.writeString(conf.resolve("searcher"), Directory.SEARCHER_PASSWORD);
    configure(ROLES);
    Files.writeString(
        conf.resolve("database-0.yaml"),
        RunningProxy.passThrough(SCHEMA, server)
            .replace(
                "rules: []",
                """
                rules:
                - !MASK
                  tables: { t: { columns: { name: { maskAlgorithm: first } } } }
                  maskAlgorithms:
                    first: { type: KEEP_FIRST_N_LAST_M, props: { first-n: 1, last-m: 0, replace-char: "*" } }
                  users: [writer]
                """));
    proxy =
        ProxyProcess.startFrom(
            "ldap",
            conf,
            List.of("-Danabranch.home=" + home, "-Danabranch.logs=" + home.resolve("logs")));
  }

  @AfterAll
  static void stop() {
    proxy.close();
    directory.close();
  }

  /** As operators do: the folder is copied. */
  private static void install() throws IOException {
    Path to = Files.createDirectories(home.resolve("ext-lib").resolve("ldap"));
    try (Stream<Path> jars = Files.list(Path.of("../account-ldap/target/plug-in/ldap"))) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, to.resolve(jar.getFileName()));
      }
    }
  }

  private static void configure(String roles) throws IOException {
    String reader =
        roles.contains(": reader")
            ? "\n  - { user: reader, role: true, grants: \"READ ON it_ldap.*\" }"
            : "";
    Files.writeString(
        conf.resolve("global.yaml"),
        """
        authority:
          users:
          - { user: %s, password: %s, admin: true }
          - { user: writer, role: true, grants: "READ, WRITE ON it_ldap.*", maxConnections: 3 }%s
          accountStore:
            type: LDAP
            roles: %s
            props: %s
        props:
          proxy-admin-port: 0
          proxy-frontend-executor-size: 1
          proxy-frontend-ssl-enabled: true
          proxy-audit-log-file: audit.log
        """
            .formatted(
                RunningProxy.USER,
                RunningProxy.PASSWORD,
                reader,
                roles,
                directory.properties(home)));
  }

  @BeforeEach
  void isAsItWas() throws Exception {
    configure(ROLES);
    reload();
  }

  private static void reload() throws SQLException {
    try (Connection admin = proxy.connect(SCHEMA)) {
      run(admin, "RELOAD CONFIGURATION");
    }
  }

  private static void run(Connection client, String sql) throws SQLException {
    try (Statement statement = client.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String tls(Driver driver) {
    return driver == Driver.MYSQL ? "sslMode=REQUIRED" : "sslMode=trust";
  }

  private static Connection connect(Driver driver, String user, String password)
      throws SQLException {
    return driver.connect(proxy.port(), SCHEMA, user, password, tls(driver));
  }

  private static Connection connect(String user) throws SQLException {
    return connect(Driver.MYSQL, user, user + "-secret");
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void assertFails(int errno, String words, Action action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            SQLException.class, failed -> assertThat(failed.getErrorCode()).isEqualTo(errno))
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void theGroupDecidesWhatOneMay(Driver driver) throws Exception {
    try (Connection ada = connect(driver, "ada", "ada-secret")) {
      assertThat(one(ada, "SELECT USER()")).isEqualTo("ada@127.0.0.1");
      assertThat(one(ada, "SELECT CURRENT_USER()")).startsWith("reader@");
      assertThat(one(ada, "SELECT name FROM t WHERE id = 1")).isEqualTo("L*******");
      assertFails(1142, "INSERT command denied", () -> run(ada, "INSERT INTO t VALUES (2, 'x')"));
    }
    try (Connection grace = connect(driver, "Grace", "grace-secret")) {
      assertThat(one(grace, "SELECT USER()")).isEqualTo("Grace@127.0.0.1");
      assertThat(one(grace, "SELECT CURRENT_USER()")).startsWith("writer@");
      assertThat(one(grace, "SELECT name FROM t WHERE id = 1")).isEqualTo("Lovelace");
      run(grace, "REPLACE INTO t VALUES (7, 'seven')");
    }
    Eventually.holds(
        "the audit log has who it was",
        () ->
            read(home.resolve("logs/audit.log"))
                .lines()
                .anyMatch(
                    line ->
                        line.contains("\"user\":\"writer\"")
                            && line.contains("\"login\":\"Grace\"")));
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ada, wrong",
    "ada, ''",
    "stranger, stranger-secret",
    "nobody, nobody-secret",
    "*, ada-secret",
    "'ada)(uid=*', ada-secret",
    "'ada,dc=example', ada-secret",
    "reader, reader-secret",
    "reader, ''",
    "app, ada-secret",
  })
  void othersAreDenied(String user, String password) {
    for (Driver driver : Driver.values()) {
      assertFails(
          1045, "Access denied for user '" + user, () -> connect(driver, user, password).close());
    }
  }

  @Test
  void withoutTlsThePasswordIsNotAskedFor() {
    assertFails(
        3159,
        "AB2077",
        () ->
            Driver.MARIADB
                .connect(proxy.port(), SCHEMA, "ada", "ada-secret", "sslMode=disable")
                .close());
    assertFails(
        3159,
        "AB2077",
        () -> Driver.MYSQL.connect(proxy.port(), SCHEMA, "ada", "ada-secret").close());
  }

  @Test
  void theCommandLineClient() throws Exception {
    Process client =
        new ProcessBuilder(
                "mariadb",
                "--no-defaults",
                "--protocol=tcp",
                "-h127.0.0.1",
                "-P" + proxy.port(),
                "-uada",
                "-pada-secret",
                "--ssl",
                "--skip-ssl-verify-server-cert",
                "--enable-cleartext-plugin",
                "-N",
                SCHEMA,
                "-e",
                "SELECT USER(), name FROM t WHERE id = 1")
            .redirectErrorStream(true)
            .start();
    String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(output.strip()).endsWith("ada@127.0.0.1\tL*******");
  }

  @Test
  void anotherOneOnTheSameConnection() throws Exception {
    try (Connection client = connect("ada")) {
      JdbcConnection own = client.unwrap(JdbcConnection.class);
      own.changeUser("grace", "grace-secret");
      assertThat(one(client, "SELECT CONCAT(USER(), ' ', CURRENT_USER())"))
          .startsWith("grace@127.0.0.1 writer@");
      own.changeUser(RunningProxy.USER, RunningProxy.PASSWORD);
      assertThat(one(client, "SELECT USER()")).startsWith("app@");
      assertFails(1045, "'alan'", () -> own.changeUser("alan", "wrong"));
    }
  }

  @Test
  void whoActsAsTheSameUserIsNotTheSame() throws Exception {
    try (Connection ada = connect("ada");
        Connection alan = connect("alan");
        Connection again = connect("alan")) {
      String id = one(ada, "SELECT CONNECTION_ID()");
      assertThat(one(alan, "SELECT CURRENT_USER()")).isEqualTo(one(ada, "SELECT CURRENT_USER()"));
      assertThat(column(alan, "SHOW PROCESSLIST"))
          .contains(one(again, "SELECT CONNECTION_ID()"))
          .doesNotContain(id);
      assertFails(1095, "not owner", () -> run(alan, "KILL " + id));
      run(alan, "KILL " + one(again, "SELECT CONNECTION_ID()"));
      assertThat(one(ada, "SELECT 1")).isEqualTo("1");
      assertThatThrownBy(() -> one(again, "SELECT 1")).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void limitsAreThoseOfTheUserTheyActAs() throws Exception {
    try (Connection one = connect("grace");
        Connection two = connect("grace");
        Connection three = connect("grace")) {
      assertFails(1226, "'writer'", () -> connect("grace").close());
      assertThat(one.isValid(5) && two.isValid(5) && three.isValid(5)).isTrue();
    }
  }

  @Test
  void whoActsAsAUserThatIsGoneIsGone() throws Exception {
    try (Connection ada = connect("ada");
        Connection grace = connect("grace")) {
      assertThat(one(ada, "SELECT 1")).isEqualTo("1");
      configure("{ writers: writer, readers: writer }");
      reload();
      assertThat(one(grace, "SELECT 1")).isEqualTo("1");
      assertFails(1045, "'ada'", () -> one(ada, "SELECT 1"));
    }
    try (Connection ada = connect("ada")) {
      assertThat(one(ada, "SELECT CURRENT_USER()")).startsWith("writer@");
    }
    assertFails(1045, "'alan'", () -> connect("alan").close());
  }

  @Test
  void aDirectoryThatIsAwayIsToldAndKeepsNobodyElse() throws Exception {
    try (Connection ada = connect("ada")) {
      directory.vanish();
      try {
        for (Driver driver : Driver.values()) {
          assertFails(1105, "AB2078", () -> connect(driver, "alan", "alan-secret").close());
        }
        assertThat(one(ada, "SELECT name FROM t WHERE id = 1")).isEqualTo("L*******");
        try (Connection own = proxy.connect(SCHEMA)) {
          assertThat(one(own, "SELECT 1")).isEqualTo("1");
        }
      } finally {
        directory.appear();
      }
    }
    connect("alan").close();
    Eventually.holds(
        "the log says why", () -> proxy.output().contains("the account store LDAP gave no answer"));
    assertThat(proxy.output()).contains("com.unboundid.ldap.sdk.LDAPException");
  }

  @Test
  void secretsAreNotTold() throws Exception {
    try (Connection admin = proxy.connect(SCHEMA)) {
      for (String sql : List.of("SHOW AUTHORITY RULE", "EXPORT DATABASE CONFIGURATION")) {
        assertThat(String.join("\n", column(admin, sql)))
            .doesNotContain(Directory.STORE_PASSWORD, Directory.SEARCHER_PASSWORD);
      }
    }
    assertThat(proxy.output())
        .doesNotContain(Directory.STORE_PASSWORD, Directory.SEARCHER_PASSWORD, "ada-secret");
  }
}
