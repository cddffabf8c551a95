package io.anabranch.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.anabranch.frontend.auth.AuthenticationStep.Denied;
import io.anabranch.frontend.auth.AuthenticationStep.Granted;
import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties.Lockout;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.right.Grants;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {

  private static final AuthenticationMethod NATIVE = AuthenticationMethod.MYSQL_NATIVE_PASSWORD;
  private static final AuthenticationMethod SHA2 = AuthenticationMethod.CACHING_SHA2_PASSWORD;

  private static final Authority AUTHORITY =
      new Authority(
          List.of(
              new User("app", "%", "secret", false, NATIVE),
              new User("app", "10.0.0.0/8", "inner", false, NATIVE),
              new User("modern", "%", "gr\u00fcn", false, SHA2),
              new User("open", "%", "", false, NATIVE),
              new User("open2", "%", "", false, SHA2),
              new User("root", "localhost", "root", true, NATIVE)),
          false,
          Map.of("app@%", Set.of("shop"), "modern@%", Set.of("*")));

  private final ServerKey serverKey = ServerKey.generate();
  private final AuthenticationRealm realm =
      new AuthenticationRealm(
          AUTHORITY,
          Map.of("shop", VisibleDatabase.PLAIN, "other", VisibleDatabase.PLAIN),
          serverKey,
          false);
  private final AtomicLong clock = new AtomicLong();
  private final FailedLogins failures = new FailedLogins(new Lockout(3, 60), clock::get);
  private final Authenticator server = server("192.168.0.9");

  private Authenticator server(String address) {
    return new Authenticator(
        () -> realm,
        FakeClient.CAPABILITIES | Capability.SSL,
        InetAddress.ofLiteral(address),
        failures,
        new SecureRandom());
  }

  @Test
  void nativePassword() {
    var client = new FakeClient(server, "secret");
    AuthenticationStep step = client.connect("app", NativePassword.PLUGIN, "shop");
    assertThat(step).isInstanceOf(Granted.class);
    Granted granted = (Granted) step;
    assertThat(granted.payload()).isNull();
    assertThat(granted.login().user()).isEqualTo(AUTHORITY.users().getFirst());
    assertThat(granted.login().database()).isEqualTo("shop");
    assertThat(granted.login().address()).isEqualTo("192.168.0.9");
    assertThat(granted.login().collation()).isEqualTo(45);
    assertThat(granted.login().capabilities()).isEqualTo(FakeClient.CAPABILITIES);
    assertThat(client.log).isEmpty();
  }

  @Test
  void sha2IsFast() {
    var client = new FakeClient(server, "gr\u00fcn");
    AuthenticationStep step = client.connect("modern", CachingSha2.PLUGIN, "");
    assertThat(step).isInstanceOf(Granted.class);
    assertThat(((Granted) step).payload()).containsExactly(1, CachingSha2.FAST_AUTH_SUCCESS);
    assertThat(client.log).isEmpty();
  }

  @Test
  void sha2WithTheServersKey() {
    var client = new FakeClient(server, "gr\u00fcn").spoilingScrambles();
    assertThat(client.connect("modern", CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly("full", "key");
  }

  @Test
  void sha2OverTls() {
    var client = new FakeClient(server, "gr\u00fcn").spoilingScrambles().overTls();
    assertThat(client.connect("modern", CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly("tls StartTls[]", "full");
  }

  @ParameterizedTest
  @CsvSource({"true, full", "false, 'full, key'"})
  void sha2WithTheWrongPassword(boolean tls, String conversation) {
    var client = new FakeClient(server, "wrong");
    AuthenticationStep step =
        (tls ? client.overTls() : client).connect("modern", CachingSha2.PLUGIN, "");
    assertDenied(
        step, 1045, "28000", "Access denied for user 'modern'@'192.168.0.9' (using password: YES)");
    assertThat(String.join(", ", client.log)).endsWith(conversation);
  }

  @ParameterizedTest
  @CsvSource({
    "app, secret, dialog, switch mysql_native_password",
    "modern, gr\u00fcn, mysql_native_password, switch caching_sha2_password"
  })
  void clientsAreSwitchedToTheUsersPlugin(
      String user, String password, String plugin, String conversation) {
    var client = new FakeClient(server, password);
    assertThat(client.connect(user, plugin, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly(conversation);
  }

  /** As those of MySQL 9: the greeting's plugin they do not know, and its nonce they do not see. */
  @ParameterizedTest
  @CsvSource({"app, secret", "modern, gr\u00fcn", "open, ''", "open2, ''"})
  void clientsThatKnowNoOtherPluginUseSha2(String user, String password) {
    var client = new FakeClient(server, password).withoutFirstAnswer();
    assertThat(client.connect(user, CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly("switch caching_sha2_password");
  }

  @Test
  void theStrongerPluginNeedsTheRightPassword() {
    var client = new FakeClient(server, "wrong").withoutFirstAnswer();
    assertDenied(
        client.connect("app", CachingSha2.PLUGIN, ""),
        1045,
        "28000",
        "Access denied for user 'app'@'192.168.0.9' (using password: YES)");
    assertThat(client.log).containsExactly("switch caching_sha2_password", "full", "key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"app", "nobody", "open"})
  void wrongPasswordAndUnknownUserLookTheSame(String user) {
    var client = new FakeClient(server, "wrong");
    assertDenied(
        client.connect(user, NativePassword.PLUGIN, ""),
        1045,
        "28000",
        "Access denied for user '" + user + "'@'192.168.0.9' (using password: YES)");
  }

  @Test
  void whoDoesNotExistLooksLikeSomebodyWhoDoes() {
    Set<String> conversations = new HashSet<>();
    for (int i = 0; i < 64; i++) {
      var first = new FakeClient(server("10.1.1.1"), "wrong");
      var second = new FakeClient(server("10.1.1.1"), "wrong");
      first.connect("nobody" + i, NativePassword.PLUGIN, "");
      second.connect("nobody" + i, NativePassword.PLUGIN, "");
      assertThat(first.log).isEqualTo(second.log);
      conversations.add(String.join(", ", first.log));
    }
    assertThat(conversations)
        .containsExactlyInAnyOrder("", "switch caching_sha2_password, full, key");
  }

  @ParameterizedTest
  @CsvSource({
    "app, mysql_native_password",
    "nobody, mysql_native_password",
    "modern, caching_sha2_password"
  })
  void noPassword(String user, String plugin) {
    assertDenied(
        new FakeClient(server, "").connect(user, plugin, ""),
        1045,
        "28000",
        "Access denied for user '" + user + "'@'192.168.0.9' (using password: NO)");
  }

  @ParameterizedTest
  @CsvSource({"open, mysql_native_password", "open2, caching_sha2_password"})
  void usersWithoutPassword(String user, String plugin) {
    assertThat(new FakeClient(server, "").connect(user, plugin, "")).isInstanceOf(Granted.class);
  }

  @Test
  void theMostPreciseHostDecides() {
    assertThat(
            new FakeClient(server("10.1.2.3"), "inner").connect("app", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertThat(
            new FakeClient(server("10.1.2.3"), "secret").connect("app", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    assertThat(
            new FakeClient(server("10.1.2.3"), "root").connect("root", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    assertThat(
            new FakeClient(server("127.0.0.1"), "root").connect("root", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
  }

  @ParameterizedTest
  @CsvSource({
    "app, secret, other, 1044, 42000, Access denied for user 'app'@'192.168.0.9' to database"
        + " 'other'",
    "app, secret, nope, 1044, 42000, Access denied for user 'app'@'192.168.0.9' to database 'nope'",
    "modern, gr\u00fcn, nope, 1049, 42000, Unknown database 'nope'"
  })
  void databasesThatCannotBeUsed(
      String user, String password, String database, int errno, String state, String message) {
    var client = new FakeClient(server, password);
    String plugin = user.equals("app") ? NativePassword.PLUGIN : CachingSha2.PLUGIN;
    assertDenied(client.connect(user, plugin, database), errno, state, message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHOP", "shop", "INFORMATION_SCHEMA"})
  void databasesThatCanBeUsed(String database) {
    var client = new FakeClient(server, "secret");
    assertThat(client.connect("app", NativePassword.PLUGIN, database)).isInstanceOf(Granted.class);
  }

  @Test
  void usersChange() {
    var client = new FakeClient(server, "gr\u00fcn");
    assertThat(client.connect("modern", CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    AuthenticationStep changed = client.changeUser("modern", CachingSha2.PLUGIN, "other");
    assertThat(changed).isInstanceOf(Granted.class);
    assertThat(((Granted) changed).login().database()).isEqualTo("other");
    assertThat(client.changeUser("app", NativePassword.PLUGIN, "")).isInstanceOf(Denied.class);
    assertThat(client.changeUser("modern", NativePassword.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly("switch caching_sha2_password");
  }

  @Test
  void clientsWithoutPluginsHaveTheNativeOne() {
    long old = FakeClient.CAPABILITIES & ~Capability.PLUGIN_AUTH;
    assertThat(new FakeClient(server, "secret", old).connect("app", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    AuthenticationStep step =
        new FakeClient(server("10.0.0.1"), "gr\u00fcn", old)
            .connect("modern", NativePassword.PLUGIN, "");
    assertThat(step).isInstanceOf(Denied.class);
    assertThat(((Denied) step).error().errno()).isEqualTo(1251);
  }

  @Test
  void theGreetingAnnouncesWhatAllUsersHave() {
    assertThat(server.greeting("8", 1, 45).plugin()).isEqualTo(NativePassword.PLUGIN);
    var sha2 = new User("a", "%", "x", false, SHA2);
    var modern =
        new AuthenticationRealm(
            new Authority(List.of(sha2), true, Map.of()), Map.of(), serverKey, false);
    assertThat(modern.defaultPlugin()).isEqualTo(CachingSha2.PLUGIN);
  }

  @Test
  void noncesDifferAndHaveNoNul() {
    byte[] first = server.greeting("8", 1, 45).scramble();
    byte[] second = server("10.0.0.1").greeting("8", 1, 45).scramble();
    assertThat(first).hasSize(20).doesNotContain(0).isNotEqualTo(second);
  }

  @Test
  void tlsThatWasNotOffered() {
    var plain =
        new Authenticator(
            () -> realm,
            FakeClient.CAPABILITIES,
            InetAddress.ofLiteral("10.0.0.1"),
            failures,
            new SecureRandom());
    assertThatThrownBy(() -> new FakeClient(plain, "x").overTls().connect("app", "x", ""))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void packetsAfterTheEnd() {
    new FakeClient(server, "wrong").connect("app", NativePassword.PLUGIN, "");
    assertThatThrownBy(() -> server.accept(Unpooled.buffer().writeZero(40)))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void hashesAreEnough() {
    String native41 = "*14E65567ABDB5135D0CFD9A70B3032C179A49EE7"; // secret
    String foobar =
        "0x24412430303524031A69251C34295C4B35167C7F1E5A7B63091349503974624D34504B5A424679354856"
            + "336868686F52485A736E4A733368786E427575516C73446469496537";
    AuthenticationRealm hashed =
        realm(
            true,
            Map.of(),
            user("old", native41, NATIVE, Requirement.NONE),
            user("new", foobar, SHA2, Requirement.NONE));
    assertThat(client(hashed, "secret").connect("old", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertThat(client(hashed, "Secret").connect("old", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    var wrong = client(hashed, "foobaz");
    assertThat(wrong.connect("new", CachingSha2.PLUGIN, "")).isInstanceOf(Denied.class);
    assertThat(wrong.log).containsExactly("full", "key");
    var first = client(hashed, "foobar");
    assertThat(first.connect("new", CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(first.log).containsExactly("full", "key");
    var second = client(hashed, "foobar");
    assertThat(second.connect("new", CachingSha2.PLUGIN, "")).isInstanceOf(Granted.class);
    assertThat(second.log).isEmpty();
  }

  @Test
  void tlsAndCertificatesThatUsersNeed() {
    AuthenticationRealm strict =
        realm(
            true,
            Map.of(),
            user("tls", "x", NATIVE, Requirement.SSL),
            user("cert", "x", NATIVE, Requirement.X509));
    assertThat(client(strict, "x").connect("tls", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    assertThat(client(strict, "x").overTls().connect("tls", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
    assertThat(client(strict, "x").overTls().connect("cert", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    assertThat(
            client(strict, "x")
                .overTls()
                .withCertificate()
                .connect("cert", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
  }

  @Test
  void tlsThatEverybodyNeeds() {
    var strict = new AuthenticationRealm(AUTHORITY, Map.of(), serverKey, true);
    AuthenticationStep step = client(strict, "inner").connect("app", NativePassword.PLUGIN, "");
    assertThat(((Denied) step).error().errno()).isEqualTo(3159);
    assertThat(client(strict, "inner").overTls().connect("app", NativePassword.PLUGIN, ""))
        .isInstanceOf(Granted.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"app", "nobody"})
  void tooManyFailuresLockOut(String user) {
    for (int i = 0; i < 3; i++) {
      AuthenticationStep step = attempt("192.168.0.9", user, "wrong");
      assertThat(((Denied) step).error().errno()).isEqualTo(1045);
    }
    clock.addAndGet(TimeUnit.SECONDS.toNanos(20));
    assertDenied(
        attempt("192.168.0.9", user, "secret"),
        3955,
        "HY000",
        "Access denied for user '"
            + user
            + "'@'192.168.0.9'. Account is blocked for 60 second(s) (40 second(s) remaining) due to"
            + " 3 consecutive failed logins.");
    assertThat(((Denied) attempt("192.168.0.10", user, "wrong")).error().errno()).isEqualTo(1045);
    clock.addAndGet(TimeUnit.SECONDS.toNanos(40));
    AuthenticationStep step = attempt("192.168.0.9", user, "secret");
    assertThat(step instanceof Granted).isEqualTo(user.equals("app"));
  }

  @Test
  void eachLockIsTwiceAsLongUntilThePasswordIsRight() {
    long seconds = 60;
    for (int lock = 0; lock < 8; lock++) {
      for (int i = 0; i < 3; i++) {
        assertThat(((Denied) attempt("192.168.0.9", "app", "wrong")).error().errno())
            .isEqualTo(1045);
      }
      clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds) - 1);
      assertThat(((Denied) attempt("192.168.0.9", "app", "secret")).error().message())
          .contains("blocked for " + seconds + " second(s) (1 second(s) remaining)");
      clock.addAndGet(1);
      seconds = Math.min(2 * seconds, 64 * 60);
    }
    assertThat(attempt("192.168.0.9", "app", "secret")).isInstanceOf(Granted.class);
    assertThat(((Denied) attempt("192.168.0.9", "app", "wrong")).error().errno()).isEqualTo(1045);
    assertThat(attempt("192.168.0.9", "app", "secret")).isInstanceOf(Granted.class);
  }

  @Test
  void aRightPasswordForgetsFailures() {
    for (int i = 0; i < 5; i++) {
      assertThat(attempt("192.168.0.9", "app", "wrong")).isInstanceOf(Denied.class);
      assertThat(attempt("192.168.0.9", "app", "wrong")).isInstanceOf(Denied.class);
      assertThat(attempt("192.168.0.9", "app", "secret")).isInstanceOf(Granted.class);
    }
  }

  private AuthenticationStep attempt(String address, String user, String password) {
    return new FakeClient(server(address), password).connect(user, NativePassword.PLUGIN, "");
  }

  private FakeClient client(AuthenticationRealm users, String password) {
    var authenticator =
        new Authenticator(
            () -> users,
            FakeClient.CAPABILITIES | Capability.SSL,
            InetAddress.ofLiteral("10.0.0.1"),
            new FailedLogins(Lockout.OFF, clock::get),
            new SecureRandom());
    return new FakeClient(authenticator, password);
  }

  private static User user(
      String name, String password, AuthenticationMethod method, Requirement requirement) {
    Password parsed = Objects.requireNonNull(Password.parse(password));
    return new User(
        name, "%", parsed, false, method, requirement, 0, Grants.UNLIMITED, Set.of(), null, null);
  }

  private static void assertDenied(
      AuthenticationStep step, int errno, String sqlState, String message) {
    assertThat(step).isEqualTo(new Denied(new ErrPacket(errno, sqlState, message)));
  }

  @Test
  void thePasswordBeforeIsGoodWhileItIsKept() {
    for (AuthenticationMethod method : List.of(NATIVE, SHA2)) {
      String plugin = method == NATIVE ? NativePassword.PLUGIN : CachingSha2.PLUGIN;
      AuthenticationRealm users = realm(true, Map.of(), rotating("new", "old", method));
      for (String password : List.of("new", "old")) {
        assertThat(client(users, password).connect("a", plugin, "")).isInstanceOf(Granted.class);
        assertThat(client(users, password).spoilingScrambles().connect("a", plugin, ""))
            .isInstanceOf(method == NATIVE ? Denied.class : Granted.class);
      }
      assertThat(client(users, "other").connect("a", plugin, "")).isInstanceOf(Denied.class);
      assertThat(client(users, "").connect("a", plugin, "")).isInstanceOf(Denied.class);
    }
  }

  @Test
  void clientsSign() {
    String before = "o".repeat(32);
    String now = "n".repeat(32);
    AuthenticationRealm users =
        realm(true, Map.of(), rotating(now, before, AuthenticationMethod.ED25519));
    for (String password : List.of(now, before)) {
      FakeClient client = client(users, password);
      assertThat(client.connect("a", NativePassword.PLUGIN, "")).isInstanceOf(Granted.class);
      assertThat(client.log).containsExactly("switch client_ed25519");
    }
    assertThat(client(users, "x".repeat(32)).connect("a", CachingSha2.PLUGIN, ""))
        .isInstanceOf(Denied.class);
    assertThat(client(users, now).connect("nobody", NativePassword.PLUGIN, ""))
        .isInstanceOf(Denied.class);
  }

  private static User rotating(String password, String before, AuthenticationMethod method) {
    return new User(
        "a",
        "%",
        new Password.Plain(password),
        false,
        method,
        Requirement.NONE,
        0,
        Grants.UNLIMITED,
        Set.of(),
        new Password.Plain(before),
        null);
  }

  @Test
  void restrictsOnlyUsersWithoutEverything() {
    var plain = new Authority.User("a", "%", "", false, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
    var admin = new Authority.User("b", "%", "", true, AuthenticationMethod.MYSQL_NATIVE_PASSWORD);
    assertThat(realm(false, Map.of(), plain, admin).restricts(plain)).isTrue();
    assertThat(realm(false, Map.of(), plain, admin).restricts(admin)).isFalse();
    assertThat(realm(false, Map.of("a@%", Set.of("*")), plain).restricts(plain)).isFalse();
    assertThat(realm(false, Map.of("a@%", Set.of("shop")), plain).restricts(plain)).isTrue();
    assertThat(realm(true, Map.of(), plain).restricts(plain)).isFalse();
  }

  private AuthenticationRealm realm(
      boolean allPermitted, Map<String, Set<String>> grants, Authority.User... users) {
    return new AuthenticationRealm(
        new Authority(List.of(users), allPermitted, grants), Map.of(), serverKey, false);
  }
}
