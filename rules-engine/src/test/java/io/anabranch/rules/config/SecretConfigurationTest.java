package io.anabranch.rules.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.DataSourceDefinition;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.model.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** References of the files to what stands elsewhere. */
class SecretConfigurationTest {

  @TempDir Path folder;

  private static final String USERS = "authority: { users: [ { user: a, password: b } ] }\n";

  private Configuration load(String global, String database) throws IOException {
    Files.writeString(folder.resolve("global.yaml"), global);
    Files.writeString(folder.resolve("database-shop.yaml"), database);
    return new ConfigurationLoader(
            new AlgorithmCatalogue(List.of()),
            Map.of(
                    "HOST",
                    "db.example:3307",
                    "PASSWORD",
                    "topsecret",
                    "NOHOST",
                    "user:topsecret@h",
                    "NOTHING",
                    "")
                ::get)
        .load(folder);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ user: a, password: '${env:NOTHING}' }",
        "{ user: a, password: '${file:rotated}' }",
        "{ user: a, password: b, retainedPassword: '${env:NOTHING}' }",
        "'a@%:${env:NOTHING}${env:NOTHING}'",
      })
  void noAccountIsOpenedByAnEmptyReference(String user) throws IOException {
    Files.writeString(folder.resolve("rotated"), "\n");
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> load("authority: { users: [ " + user + " ] }\n", "databaseName: shop\n"));
    assertThat(refused.problems())
        .extracting(Problem::reason)
        .containsAnyOf("what the password refers to is empty", "what it refers to is empty");
  }

  /** Digests of another salt would find none of the rows that are there. */
  @Test
  void noSaltIsAnEmptyReference() {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                load(
                    USERS,
                    "databaseName: shop\nrules:\n- !MASK\n  maskAlgorithms: { m: { type: MD5,"
                        + " props: { salt: '${env:NOTHING}' } } }\n"));
    assertThat(refused.problems())
        .extracting(Problem::reason)
        .contains("what it refers to is empty");
  }

  @Test
  void aPasswordThatIsWrittenEmptyIsNone() throws IOException {
    RuleSet rules =
        load("authority: { users: [ { user: a, password: '' } ] }\n", "databaseName: shop\n")
            .ruleSet();
    assertThat(rules.authority().users().getFirst().password().isEmpty()).isTrue();
  }

  /** A blank that is missing makes one key of a key and its value. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ user: a, password:s3cret }",
        "{ user: a, password: x, props: {key:s3cret} }",
        "{ user: a, 'password=s3cret': x }",
        "{ user: a, 'password:s3cret': x }",
        "'a@%:s3cret': b",
      })
  void noProblemShowsAPassword(String user) {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> load("authority: { users: [ " + user + " ] }\n", "databaseName: shop\n"));
    assertThat(refused.problems()).isNotEmpty();
    assertThat(refused.problems().toString()).doesNotContain("s3cret");
  }

  @Test
  void aPropertyIsNoNameAndValueInOne() {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                load(
                    USERS,
                    "databaseName: shop\nrules:\n- !MASK\n  maskAlgorithms: { m: { type: MD5,"
                        + " props: { salt:s3cret } } }\n"));
    assertThat(refused.problems().toString())
        .contains("a colon needs a blank behind it")
        .doesNotContain("s3cret");
  }

  @Test
  void takesPasswordsAndUrls() throws IOException {
    Files.writeString(folder.resolve("root.password"), "*not a hash: sesame\n");
    RuleSet rules =
        load(
                """
                authority:
                  users:
                  - { user: a, password: "${file:root.password}" }
                  - b@%:${env:PASSWORD}
                  - user: c
                    password: $${c}
                props:
                  proxy-frontend-ssl-key-password: x${env:PASSWORD}
                """,
                """
                databaseName: shop
                dataSources:
                  ds_0:
                    url: jdbc:mysql://${env:HOST}/shop
                    username: ${env:PASSWORD}
                    password: ${env:PASSWORD}
                rules: []
                """)
            .ruleSet();

    assertThat(rules.authority().users())
        .extracting(User::password)
        .containsExactly(
            new Password.Plain("*not a hash: sesame"),
            new Password.Plain("topsecret"),
            new Password.Plain("${c}"));
    assertThat(rules.properties().clients().tls().keyPassword()).isEqualTo("xtopsecret");
    DataSourceDefinition source =
        requireNonNull(requireNonNull(rules.databases().get("shop")).dataSources().get("ds_0"));
    assertThat(source.url()).isEqualTo("jdbc:mysql://db.example:3307/shop");
    assertThat(source.username()).isEqualTo("topsecret");
    assertThat(source.password()).isEqualTo("topsecret");
  }

  @Test
  void tellsAllThatIsMissingWithItsPlace() {
    ConfigurationException e =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                load(
                    """
                    authority:
                      users:
                      - { user: a, password: "${DB_PASSWORD}" }
                      - b@%:${env:NONE}
                    props:
                      proxy-frontend-ssl-key-password: ${file:no.key}
                    """,
                    """
                    databaseName: shop
                    dataSources:
                      ds_0:
                        url: jdbc:mysql://${env:NO_HOST}:${env:NO_PORT}/shop
                        password: ${vault:x}
                      ds_1:
                        url: jdbc:mysql://${env:NOHOST}/shop
                    rules: []
                    """));
    assertThat(e.problems())
        .extracting(Problem::toString)
        .containsExactly(
            "database-shop.yaml:4:10: dataSources.ds_0.url: there is no environment variable `NO_HOST`; set it where the proxy is started",
            "database-shop.yaml:4:10: dataSources.ds_0.url: there is no environment variable `NO_PORT`; set it where the proxy is started",
            "database-shop.yaml:5:15: dataSources.ds_0.password: holds `${...}` that is neither ${env:NAME} nor ${file:path}; name an environment variable or a file, or write $${ where ${ itself is meant",
            "database-shop.yaml:7:10: dataSources.ds_1.url: the port must be from 1 to 65535; write jdbc:mysql://host:port/schema",
            "global.yaml:3:26: authority.users[0].password: holds `${...}` that is neither ${env:NAME} nor ${file:path}; name an environment variable or a file, or write $${ where ${ itself is meant",
            "global.yaml:4:5: authority.users[1]: there is no environment variable `NONE`; set it where the proxy is started",
            "global.yaml:6:36: props.proxy-frontend-ssl-key-password: the file `no.key` does not exist; relative paths begin in the folder of the configuration");
    assertThat(e.getMessage()).doesNotContain("topsecret");
  }

  /** Of whatever reads one, so that a reload takes it. */
  @Test
  void aSecretThatIsAnotherIsAChange() throws IOException {
    String database =
        """
        databaseName: shop
        dataSources: { ds_0: { url: "jdbc:mysql://127.0.0.1:3306/shop" } }
        rules:
        - !MASK
          tables: { t: { columns: { c: { maskAlgorithm: m } } } }
          maskAlgorithms: { m: { type: MD5, props: { salt: "${file:salt}" } } }
        """;
    Files.writeString(folder.resolve("salt"), "first");
    Configuration before = load(USERS, database);
    assertThat(before.outlines().changesTo(load(USERS, database).outlines())).isEmpty();
    Files.writeString(folder.resolve("salt"), "second");
    Configuration after = load(USERS, database);
    assertThat(before.outlines().changesTo(after.outlines()))
        .containsExactly(
            "database shop: rules.!MASK.maskAlgorithms.m.props.salt: what a reference stands for"
                + " has changed");
    assertThat(after.outlines().database("shop")).isNotEqualTo(before.outlines().database("shop"));
  }

  @Test
  void takesThePropsOfMasks() throws IOException {
    RuleSet rules =
        load(
                USERS,
                """
                databaseName: shop
                dataSources: { ds_0: { url: "jdbc:mysql://h/s" } }
                rules:
                - !MASK
                  tables: { t: { columns: { a: { maskAlgorithm: meant }, b: { maskAlgorithm: named } } } }
                  maskAlgorithms:
                    meant: { type: MD5, props: { salt: "${env:PASSWORD}" } }
                    named: { type: MD5, props: { salt: topsecret } }
                """)
            .ruleSet();
    Map<String, Masker> columns = requireNonNull(rules.databases().get("shop")).masks().of("t");
    assertThat(requireNonNull(columns.get("a")).mask("x"))
        .isEqualTo(requireNonNull(columns.get("b")).mask("x"));
  }

  private static final String NO_DATABASE =
      "databaseName: shop\ndataSources: { ds_0: { url: 'jdbc:mysql://h/s' } }\nrules: []\n";

  @Test
  void takesTheTokenOfTheAdminPort() throws IOException {
    Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    RuleSet rules =
        load("props: { proxy-admin-token: '${file:token}' }\n" + USERS, NO_DATABASE).ruleSet();
    assertThat(rules.properties().admin().token()).isEqualTo("0123456789abcdef");
    assertThat(rules.properties().toString()).doesNotContain("0123456789abcdef");
  }

  @ParameterizedTest
  @ValueSource(strings = {"''", "short", "'${env:NOTHING}'", "'with blanks inside of it'"})
  void anUnusableTokenIsNoneOnNoCondition(String token) {
    ConfigurationException e =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> load("props:\n  proxy-admin-token: " + token + "\n" + USERS, NO_DATABASE));
    assertThat(e.problems())
        .extracting(Problem::toString)
        .singleElement()
        .asString()
        .startsWith("global.yaml:2:22: props.proxy-admin-token: must be at least 16 characters");
  }

  /** 2.9 MB, 22,000 tables, ended a proxy of 128 MB at its reload. */
  @Test
  void filesThatDoNotFitTheHeapAreNotRead() {
    assertThat(ConfigurationLoader.fits(2_900_000, 128 << 20)).isFalse();
    assertThat(ConfigurationLoader.fits(1_000_000, 128 << 20)).isTrue();
    assertThat(ConfigurationLoader.fits(2_900_000, 256 << 20)).isTrue();
  }

  @Test
  void anEmptyFileIsOneThatIsBeingWritten() throws IOException {
    Files.writeString(folder.resolve("database-x.yaml"), "\n");
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> new ConfigurationLoader(new AlgorithmCatalogue(List.of())).load(folder));
    assertThat(refused.problems())
        .extracting(Problem::toString)
        .containsExactly("database-x.yaml:1:1: the file is empty; write it anew, or remove it");
  }

  @Test
  void whatCannotBeReadIsAllThatIsTold() throws IOException {
    Files.write(folder.resolve("global.yaml"), new byte[] {'a', (byte) 0xff});
    ConfigurationException unread =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> new ConfigurationLoader(new AlgorithmCatalogue(List.of())).load(folder));
    assertThat(unread.problems())
        .extracting(Problem::toString)
        .containsExactly("global.yaml:1:1: the file cannot be read: it is no UTF-8 text");
    Path nowhere = folder.resolve("nowhere");
    ConfigurationException missing =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> new ConfigurationLoader(new AlgorithmCatalogue(List.of())).load(nowhere));
    assertThat(missing.problems())
        .extracting(Problem::toString)
        .containsExactly(nowhere + ":1:1: the directory cannot be read: it does not exist");
  }
}
