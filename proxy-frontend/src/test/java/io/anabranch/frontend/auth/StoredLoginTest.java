package io.anabranch.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.frontend.auth.AuthenticationStep.Denied;
import io.anabranch.frontend.auth.AuthenticationStep.Granted;
import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.ClearPassword;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.account.StoredAccounts.Role;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties.Lockout;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grants;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins that an account store is asked about, and those that it is not. */
class StoredLoginTest {

  private static final String SECRET = "gr\u00fcn";
  private static final User APP = user("app", "10.%", new Password.Plain("app-secret"));
  private static final User READER = role("reader", "%");
  private static final User NEAR_READER = role("reader", "192.168.0.0/16");
  private static final User DBA = role("dba", "10.%");

  private static final List<Role> ROLES =
      List.of(
          new Role("Admins", "dba"), new Role("readers", "reader"), new Role("staff", "reader"));

  private final List<String> questions = new ArrayList<>();
  private final FailedLogins failures = new FailedLogins(new Lockout(3, 60), () -> 0);
  private final ServerKey serverKey = ServerKey.generate();
  private AuthenticationRealm realm =
      realm(stored(this::answer, ROLES), APP, READER, NEAR_READER, DBA);
  private final Authenticator server = server();

  private Authenticator server() {
    return new Authenticator(
        () -> realm,
        FakeClient.CAPABILITIES | Capability.SSL,
        InetAddress.ofLiteral("192.168.0.9"),
        failures,
        new SecureRandom());
  }

  private AccountStore.Answer answer(String name, String address, byte[] password) {
    questions.add(name + "@" + address + "/" + new String(password, UTF_8));
    if (name.equals("silent")) {
      throw new IllegalStateException("tell nobody");
    }
    if (!name.startsWith("group ")) {
      return new AccountStore.Unknown();
    }
    return new String(password, UTF_8).equals(SECRET)
        ? new AccountStore.Granted(List.of("others", name.substring("group ".length())))
        : new AccountStore.Refused();
  }

  private static StoredAccounts stored(AccountStore store, List<Role> roles) {
    return new StoredAccounts(store, "TEST", Map.of(), 5000, 4, roles);
  }

  private AuthenticationRealm realm(StoredAccounts stored, User... users) {
    return new AuthenticationRealm(
        new Authority(List.of(users), true, Map.of(), stored), Map.of(), serverKey, false);
  }

  private static User role(String name, String host) {
    return user(name, host, new Password.OfNobody());
  }

  private static User user(String name, String host, Password password) {
    return new User(
        name,
        host,
        password,
        false,
        AuthenticationMethod.MYSQL_NATIVE_PASSWORD,
        Requirement.NONE,
        0,
        Grants.UNLIMITED,
        Set.of(),
        null,
        null);
  }

  private AuthenticationStep login(String name, String password) {
    return new FakeClient(server(), password).overTls().connect(name, NativePassword.PLUGIN, "");
  }

  private static void assertDenied(AuthenticationStep step, int errno, String text) {
    assertThat(step).isInstanceOf(Denied.class);
    assertThat(((Denied) step).error().errno()).isEqualTo(errno);
    assertThat(((Denied) step).error().message()).contains(text).doesNotContain("tell nobody");
  }

  @ParameterizedTest
  @ValueSource(strings = {NativePassword.PLUGIN, CachingSha2.PLUGIN, "dialog"})
  void clientsAreSwitchedToThePasswordItself(String plugin) {
    var client = new FakeClient(server, SECRET).overTls();
    AuthenticationStep step = client.connect("group STAFF", plugin, "");
    assertThat(step).isInstanceOf(Granted.class);
    Login login = ((Granted) step).login();
    assertThat(login.user()).isEqualTo(NEAR_READER);
    assertThat(login.name()).isEqualTo("group STAFF");
    assertThat(client.log).endsWith("switch mysql_clear_password", "asked group STAFF 192.168.0.9");
    assertThat(questions).containsExactly("group STAFF@192.168.0.9/" + SECRET);
  }

  @Test
  void whoSendsItAtOnceIsNotSwitched() {
    var client = new FakeClient(server, SECRET).overTls();
    assertThat(client.connect("group staff", ClearPassword.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(client.log).noneMatch(line -> line.startsWith("switch"));
  }

  @Test
  void withoutTlsNobodyIsAskedForThePassword() {
    var client = new FakeClient(server, SECRET);
    assertDenied(client.connect("group staff", NativePassword.PLUGIN, ""), 3159, "AB2077");
    assertThat(client.log).isEmpty();
    assertThat(questions).isEmpty();
  }

  @Test
  void aSocketFileIsAsGoodAsTls() {
    server.cameByFile();
    var client = new FakeClient(server, SECRET);
    assertThat(client.connect("group staff", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertThat(questions).containsExactly("group staff@localhost/" + SECRET);
  }

  @Test
  void anotherUserOfTheSameConnection() {
    var client = new FakeClient(server, SECRET).overTls();
    assertThat(client.connect("group staff", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertThat(client.changeUser("group readers", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertDenied(
        client.changeUser("nobody", NativePassword.PLUGIN, ""), 1045, "'nobody'@'192.168.0.9'");
  }

  @Test
  void whoIsUnknownIsToldWhatWhoIsWrongIs() {
    for (String name : List.of("nobody", "group none", "group admins", "reader", "dba")) {
      assertDenied(
          login(name, SECRET),
          1045,
          "Access denied for user '%s'@'192.168.0.9' (using password: YES)".formatted(name));
    }
    assertDenied(login("group staff", "wrong"), 1045, "(using password: YES)");
    // the names of roles are names as others, and whoever is an admin is none from here
    assertThat(questions).hasSize(6);
  }

  @Test
  void anEmptyPasswordIsNoQuestion() {
    assertDenied(login("group staff", ""), 1045, "(using password: NO)");
    assertDenied(login("", SECRET), 1045, "(using password: YES)");
    assertThat(questions).isEmpty();
  }

  @Test
  void configuredNamesAreNoQuestion() {
    var client = new FakeClient(server(), "app-secret").overTls();
    assertDenied(client.connect("APP", NativePassword.PLUGIN, ""), 1045, "'APP'");
    assertThat(client.log).noneMatch(line -> line.contains("clear"));
    assertThat(questions).isEmpty();
  }

  @Test
  void noAnswerIsToldAndIsNoFailure() {
    for (int i = 0; i < 5; i++) {
      assertDenied(login("silent", SECRET), 1105, "AB2078");
    }
  }

  @Test
  void wrongPasswordsLockOut() {
    for (int i = 0; i < 3; i++) {
      assertDenied(login("Group Staff", "wrong"), 1045, "denied");
    }
    assertDenied(login("group staff", SECRET), 3955, "blocked");
    assertThat(questions).hasSize(3);
    assertThat(login("group readers", SECRET)).isInstanceOf(Granted.class);
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, false"})
  void anAnswerHoldsWhileItsStoreIsInForce(int concurrent, boolean isSame) {
    StoredAccounts other =
        new StoredAccounts(this::answer, "TEST", Map.of(), 5000, concurrent, ROLES);
    StoredAccounts asked =
        new StoredAccounts(
            (name, address, password) -> {
              realm = realm(other, APP, READER);
              return answer(name, address, password);
            },
            "TEST",
            Map.of(),
            5000,
            1,
            ROLES);
    realm = realm(asked, APP, READER, NEAR_READER);
    AuthenticationStep step = login("group staff", SECRET);
    if (isSame) {
      assertThat(((Granted) step).login().user()).isEqualTo(READER);
    } else {
      assertDenied(step, 1105, "AB2078");
    }
  }

  @Test
  void theFirstRoleDecides() {
    realm =
        realm(
            stored(this::answer, List.of(new Role("nobody", "dba"), new Role("*", "reader"))),
            APP,
            READER,
            role("dba", "%"));
    assertThat(((Granted) login("group staff", SECRET)).login().user()).isEqualTo(READER);
    assertThat(((Granted) login("group NOBODY", SECRET)).login().user().name()).isEqualTo("dba");
  }

  @Test
  void aRoleIsPresentWhileItIsConfigured() {
    assertThat(realm.present(NEAR_READER)).isEqualTo(NEAR_READER);
    AuthenticationRealm without = realm(stored(this::answer, ROLES), APP, READER, DBA);
    assertThat(without.present(NEAR_READER)).isNull();
  }

  @Test
  void rolesDoNotDecideWhatGreetingsAnnounce() {
    assertThat(realm(stored(this::answer, ROLES), READER).defaultPlugin())
        .isEqualTo(CachingSha2.PLUGIN);
  }
}
