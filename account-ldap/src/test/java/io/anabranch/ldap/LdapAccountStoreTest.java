package io.anabranch.ldap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.LDAPException;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.AccountStore.Granted;
import io.anabranch.rules.account.AccountStore.Refused;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class LdapAccountStoreTest {

  /** Of all characters that names and filters have a meaning for. */
  private static final String ODD = "o'neil, \"x\" + <y>; (z)* # = \\2a /";

  @TempDir private static Path folder;
  private static Path keys;
  private static Directory directory;

  /** How a directory is asked. */
  enum Way {
    SEARCH_LDAPS,
    SEARCH_START_TLS,
    PATTERN_LDAPS,
    PATTERN_START_TLS;

    String url() {
      return name().endsWith("LDAPS")
          ? "ldaps://127.0.0.1:" + directory.ldaps()
          : "ldap://127.0.0.1:" + directory.ldap();
    }

    Map<String, String> properties() {
      var properties = new HashMap<String, String>();
      properties.put("trust-store", keys.toString());
      properties.put("trust-store-password", Directory.STORE_PASSWORD);
      properties.put("group-base", "ou=groups,dc=example,dc=org");
      properties.put("urls", url());
      if (!name().endsWith("LDAPS")) {
        properties.put("start-tls", "true");
      }
      if (name().startsWith("SEARCH")) {
        properties.put("user-base", "ou=people,dc=example,dc=org");
        properties.put("search-dn", Directory.SEARCHER);
        properties.put("search-password", Directory.SEARCHER_PASSWORD);
      } else {
        properties.put("user-dn-pattern", "uid={user},ou=people,dc=example,dc=org");
      }
      return properties;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    keys = Directory.keys(folder, "directory", "ip:127.0.0.1");
    directory = Directory.start(keys);
    directory.person("ada", "staff", "dba (all)");
    directory.person("alan");
    directory.person(ODD, "odd");
    directory.person("double", "pairs");
    directory.twin("double");
  }

  @AfterAll
  static void stop() {
    directory.close();
  }

  private static AccountStore.Answer ask(Map<String, String> properties, String name, String typed)
      throws Exception {
    return new LdapAccountStoreProvider()
        .create(properties)
        .ask(name, "127.0.0.1", typed.getBytes(UTF_8));
  }

  private static Map<String, String> with(Way way, String... pairs) {
    Map<String, String> properties = way.properties();
    for (int i = 0; i < pairs.length; i += 2) {
      properties.put(pairs[i], pairs[i + 1]);
    }
    return properties;
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theDirectorySaysWhoMay(Way way) throws Exception {
    Map<String, String> properties = way.properties();
    assertThat(ask(properties, "ada", "ada"))
        .isInstanceOfSatisfying(
            Granted.class,
            granted ->
                assertThat(granted.groups()).containsExactlyInAnyOrder("staff", "dba (all)"));
    assertThat(ask(properties, "ADA", "ada")).isInstanceOf(Granted.class);
    assertThat(ask(properties, "alan", "nala")).isEqualTo(new Granted(List.of()));
    assertThat(ask(properties, "alan", "ada")).isEqualTo(new Refused());
    assertThat(ask(properties, ODD, Directory.password(ODD)))
        .isEqualTo(new Granted(List.of("odd")));
    assertThat(ask(properties, ODD, "ada")).isEqualTo(new Refused());
    // of a name without an entry some directories say that the password is wrong
    assertThat(ask(properties, "nobody", "ydobon")).isNotInstanceOf(Granted.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void anEmptyPasswordIsRefused(Way way) throws Exception {
    assertThat(ask(way.properties(), "ada", "")).isEqualTo(new Refused());
    assertThat(ask(way.properties(), "nobody", "")).isEqualTo(new Refused());
  }

  static List<String> injections() {
    return List.of(
        "*",
        "a*",
        "ad\\61",
        "ada)(uid=*",
        "*)(objectClass=*",
        "x)(|(uid=ada)",
        "ada,ou=people",
        "ada,ou=people,dc=example,dc=org",
        "uid=ada",
        "ada+cn=x",
        "#0403616461",
        "\\61da",
        "ada\0",
        "\0ada",
        "ada\n",
        "ada ",
        " ada",
        "\u00a0ada",
        "\uff41da",
        "ada, dc=example",
        "{user}",
        "{dn}",
        "");
  }

  @ParameterizedTest
  @MethodSource("injections")
  void noNameIsMoreThanAName(String name) throws Exception {
    for (Way way : Way.values()) {
      assertThat(ask(way.properties(), name, "ada")).as("%s", way).isNotInstanceOf(Granted.class);
    }
  }

  @Test
  void whomSeveralEntriesAreIsNobody() {
    assertThatThrownBy(() -> ask(Way.SEARCH_LDAPS.properties(), "double", "elbuod"))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aStrangersCertificateIsNotTaken(Way way) throws Exception {
    Path others = Directory.keys(folder, "others-" + way, "ip:127.0.0.1");
    assertThatThrownBy(() -> ask(with(way, "trust-store", others.toString()), "ada", "ada"))
        .isInstanceOf(LDAPException.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void aCertificateForAnotherNameIsNotTaken(Way way) {
    String urls = way.url().replace("127.0.0.1", "localhost");
    assertThatThrownBy(() -> ask(with(way, "urls", urls), "ada", "ada"))
        .isInstanceOf(LDAPException.class);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void theNextOneIsAskedWhereOneIsAway(Way way) throws Exception {
    int closed;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    String urls = way.url();
    String away = urls.replaceFirst("\\d+$", Integer.toString(closed));
    assertThat(ask(with(way, "urls", away + ", " + urls), "ada", "ada"))
        .isInstanceOf(Granted.class);
    assertThatThrownBy(() -> ask(with(way, "urls", away), "ada", "ada"))
        .isInstanceOf(LDAPException.class);
  }

  @Test
  void whoSaysNothingIsNotWaitedFor() throws Exception {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      for (Way way : Way.values()) {
        String urls = way.url().replaceFirst("\\d+$", Integer.toString(silent.getLocalPort()));
        Map<String, String> properties =
            with(
                way,
                "urls",
                urls,
                "connect-timeout-milliseconds",
                "200",
                "response-timeout-milliseconds",
                "200");
        assertThatThrownBy(() -> ask(properties, "ada", "ada"))
            .as("%s", way)
            .isInstanceOf(LDAPException.class);
      }
    }
  }

  @Test
  void whoSearchesMustBeLetIn() {
    assertThatThrownBy(() -> ask(with(Way.SEARCH_LDAPS, "search-password", "wrong"), "ada", "ada"))
        .isInstanceOf(LDAPException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "urls | 127.0.0.1:636 | urls",
        "urls | http://127.0.0.1 | urls",
        "urls | ldap://127.0.0.1 | would send passwords in clear",
        "urls | ldap://127.0.0.1, ldaps://127.0.0.1 | all of them",
        "start-tls | true | are for ldap://",
        "start-tls | maybe | start-tls",
        "user-dn-pattern | uid={user},dc=org | either user-base",
        "user-filter | (uid=ada) | has no {user}",
        "user-filter | (uid={user} | is no filter",
        "user-base | people | is no distinguished name",
        "search-password | '' | go together",
        "group-filter | member={dn}) | is no filter",
        "trust-store | store.p12 | whole path",
        "trust-store | /nowhere/store.p12 | cannot be opened",
        "trust-store-password | hush | cannot be opened",
        "ca-file | /nowhere/ca.pem | name one of them",
        "connect-timeout-milliseconds | 0 | connect-timeout-milliseconds",
        "bind-dn | x | unknown property",
      })
  void whatIsWrongIsNamed(String property, String value, String told) {
    Map<String, String> properties = with(Way.SEARCH_LDAPS, property, value);
    assertThatThrownBy(() -> new LdapAccountStoreProvider().create(properties))
        .isInstanceOf(IllegalArgumentException.class)
        .satisfies(
            problem ->
                assertThat(problem.toString())
                    .contains(told)
                    .doesNotContain(Directory.SEARCHER_PASSWORD, Directory.STORE_PASSWORD, "hush"));
  }

  @Test
  void settingsAreToldWithoutSecrets() {
    var told = new ArrayList<String>();
    for (Way way : Way.values()) {
      told.add(LdapSettings.of(way.properties()).toString());
    }
    assertThat(told).noneMatch(text -> text.contains("secret"));
  }
}
