package io.anabranch.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties;
import io.anabranch.rules.model.ClientProperties.Compression;
import io.anabranch.rules.model.ClientProperties.Limits;
import io.anabranch.rules.model.ClientProperties.Lockout;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.model.RuleSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code global.yaml} says about clients' connections. */
class ClientConfigurationTest {

  private static final String DATABASE =
      """
      databaseName: shop
      dataSources:
        ds_0: { url: "jdbc:mysql://127.0.0.1:3306/shop" }
      rules: []
      """;

  private static RuleSet load(String users, String props) {
    String global = "authority:\n  users:\n" + users.indent(4) + "props:\n" + props.indent(2);
    return new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
        .load(
            List.of(
                new ConfigurationText("global.yaml", global),
                new ConfigurationText("database-shop.yaml", DATABASE)))
        .ruleSet();
  }

  private static ClientProperties props(String props) {
    return load("- { user: a, password: a }", props).properties().clients();
  }

  private static List<String> problems(String users, String props) {
    return catchThrowableOfType(ConfigurationException.class, () -> load(users, props))
        .problems()
        .stream()
        .map(Problem::toString)
        .toList();
  }

  @Test
  void nothingSaid() {
    assertThat(props("sql-show: false")).isEqualTo(ClientProperties.DEFAULTS);
  }

  @Test
  void everythingSaid() {
    ClientProperties clients =
        props(
            """
            proxy-frontend-ssl-enabled: true
            proxy-frontend-ssl-required: true
            proxy-frontend-ssl-version: TLSv1.1,TLSv1.3
            proxy-frontend-ssl-cipher: TLS_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256
            proxy-frontend-ssl-cert-file: cert.pem
            proxy-frontend-ssl-key-file: key.pem
            proxy-frontend-ssl-key-password: hidden
            proxy-frontend-ssl-ca-file: ca.pem
            proxy-frontend-handshake-timeout: 5
            proxy-frontend-connection-idle-timeout: 100
            proxy-frontend-interactive-idle-timeout: 200
            proxy-frontend-write-timeout: 30
            proxy-frontend-upload-timeout: 20
            proxy-tcp-keep-alive-seconds: 40
            proxy-frontend-max-allowed-packet: 1048576
            proxy-frontend-max-connections: 1000
            proxy-frontend-max-user-connections: 50
            proxy-frontend-lockout-failures: 5
            proxy-frontend-lockout-seconds: 600
            proxy-frontend-compression-algorithms: zlib
            proxy-frontend-proxy-protocol-networks: 10.0.0.0/8, ::1
            """);
    assertThat(clients.tls())
        .isEqualTo(
            new ClientProperties.Tls(
                true,
                true,
                List.of("TLSv1.3"),
                List.of("TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256"),
                "cert.pem",
                "key.pem",
                "hidden",
                "ca.pem"));
    assertThat(clients.tls().toString()).doesNotContain("hidden");
    assertThat(clients.limits()).isEqualTo(new Limits(5, 100, 200, 30, 20, 1 << 20, 1000, 50, 40));
    assertThat(clients.lockout()).isEqualTo(new Lockout(5, 600));
    assertThat(clients.compression()).isEqualTo(Set.of(Compression.ZLIB));
    assertThat(clients.proxyProtocolNetworks()).hasSize(2);
  }

  @Test
  void interactiveClientsWaitAsOthersUnlessItIsSaid() {
    assertThat(
            props("proxy-frontend-connection-idle-timeout: 7").limits().interactiveTimeoutSeconds())
        .isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          proxy-frontend-ssl-required: true | without TLS nobody could connect; set proxy-frontend-ssl-enabled: true
          proxy-frontend-ssl-cert-file: a.pem | a certificate and its key belong together; give both files, or none: then the proxy makes its own
          proxy-frontend-ssl-version: TLSv1.1 | no TLS version is left; use TLSv1.2,TLSv1.3
          proxy-frontend-compression-algorithms: lz4 | there is no compression `lz4`; use zlib, zstd, both, or uncompressed for none
          proxy-frontend-proxy-protocol-networks: 10.0.0.0/33 | `10.0.0.0/33` is no network; write 10.1.0.0/16, or one address
          proxy-frontend-proxy-protocol-networks: balancer | `balancer` is no network; write 10.1.0.0/16, or one address
          proxy-frontend-max-allowed-packet: 10 | must be from 1024 to 1073741824
          proxy-frontend-ssl-enabeld: true | unknown key `proxy-frontend-ssl-enabeld`; did you mean `proxy-frontend-ssl-enabled`?
          """)
  void wrongProps(String line, String message) {
    assertThat(problems("- { user: a, password: a }", line))
        .singleElement()
        .asString()
        .endsWith(message);
  }

  @Test
  void passwordsAsHashes() {
    String salted = "0x244124303035" + "24" + "01".repeat(20) + "41".repeat(43);
    List<User> users =
        load(
                """
                - { user: old, password: "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7" }
                - { user: new, password: "%s", require: ssl, maxConnections: 3 }
                - { user: plain, password: "*short" }
                """
                    .formatted(salted),
                "proxy-frontend-ssl-enabled: true")
            .authority()
            .users();
    assertThat(users.get(0).password()).isInstanceOf(Password.NativeHash.class);
    assertThat(users.get(1).password()).isInstanceOf(Password.Sha2Hash.class);
    assertThat(users.get(1).authenticationMethod())
        .isEqualTo(AuthenticationMethod.CACHING_SHA2_PASSWORD);
    assertThat(users.get(1).requirement()).isEqualTo(Requirement.SSL);
    assertThat(users.get(1).maxConnections()).isEqualTo(3);
    assertThat(users.get(2).password()).isEqualTo(new Password.Plain("*short"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          - { user: a, password: "$A$005$short" } | is no hash of caching_sha2_password; copy what SHOW CREATE USER prints with print_identified_with_as_hex=ON
          - { user: a, password: a, require: ssl } | a@% requires TLS, which is off; set proxy-frontend-ssl-enabled: true
          - { user: a, password: a, require: magic } | `magic` cannot be required; use NONE, SSL or X509
          """)
  void wrongUsers(String user, String message) {
    assertThat(problems(user, "sql-show: false")).singleElement().asString().endsWith(message);
  }

  @Test
  void certificatesWithoutAnAuthority() {
    assertThat(
            problems("- { user: a, password: a, require: X509 }", "proxy-frontend-ssl-enabled: on"))
        .singleElement()
        .asString()
        .endsWith("name the authority's file in proxy-frontend-ssl-ca-file");
  }

  @Test
  void grantsOfUsers() {
    List<User> users =
        load(
                """
                - { user: a, password: a, grants: "READ ON *.*", hints: data_source_name }
                - { user: b, password: b, grants: ["SELECT ON shop.*", "ALL ON shop.cart"] }
                - { user: c, password: c }
                """,
                "sql-show: false")
            .authority()
            .users();
    assertThat(users.get(0).grants().list()).hasToString("[SELECT, SHOW VIEW ON *.*]");
    assertThat(users.get(0).hints()).isEqualTo(User.GUARDED_HINTS);
    assertThat(users.get(1).grants().list()).hasSize(2);
    assertThat(users.get(2).grants().isUnlimited()).isTrue();
  }

  /** Its mistakes are told, so that it would look as if it were in force. */
  @Test
  void databasesOfUsersNeedATypeThatKeepsThemThere() {
    var global =
        new ConfigurationText(
            "global.yaml",
            "authority: { users: [ { user: a, password: a } ], privilege: { props: {"
                + " user-database-mappings: a@%=shop } } }\n");
    assertThat(
            catchThrowableOfType(
                    ConfigurationException.class,
                    () ->
                        new ConfigurationLoader(new AlgorithmCatalogue(List.of()))
                            .load(List.of(global)))
                .problems())
        .singleElement()
        .asString()
        .contains("user-database-mappings: has no effect", "type: DATABASE_PERMITTED");
  }

  @Test
  void grantsThatAreNone() {
    assertThat(
            problems(
                """
                - { user: a, password: a, grants: ["SELEKT ON shop.*", "SELECT shop"] }
                - { user: b, password: b, grants: "READ ON *.*", admin: true }
                - { user: c, password: c, hints: SHADOW }
                """,
                "sql-show: false"))
        .anyMatch(problem -> problem.contains("there is no privilege `SELEKT`"))
        .anyMatch(problem -> problem.contains("`SELECT shop` is no grant"))
        .anyMatch(problem -> problem.contains("grants of an administrator"))
        .anyMatch(problem -> problem.contains("`SHADOW` is no hint that is granted"));
  }

  @Test
  void thePasswordBeforeIsOfTheSameKind() {
    String hash = "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7";
    User rotating =
        load("- { user: a, password: \"" + hash + "\", retainedPassword: old }", "sql-show: false")
            .authority()
            .users()
            .getFirst();
    assertThat(rotating.retained()).isEqualTo(new Password.Plain("old"));
    assertThat(
            problems(
                "- { user: a, password: new, retainedPassword: \"" + hash + "\" }",
                "sql-show: false"))
        .anyMatch(problem -> problem.contains("a hash of another kind than `password`"));
    assertThat(problems("- { user: a, retainedPassword: old }", "sql-show: false"))
        .anyMatch(problem -> problem.contains("an empty password beside another"));
  }
}
