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
import io.anabranch.rules.model.Authority.User;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
      new AuthenticationRealm(AUTHORITY, Set.of("shop", "other"), serverKey);
  private final Authenticator server = server("192.168.0.9");

  private Authenticator server(String address) {
    return new Authenticator(
        () -> realm,
        FakeClient.CAPABILITIES | Capability.SSL,
        InetAddress.ofLiteral(address),
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
    "app, secret, caching_sha2_password, switch mysql_native_password",
    "app, secret, client_ed25519, switch mysql_native_password",
    "modern, gr\u00fcn, mysql_native_password, switch caching_sha2_password"
  })
  void clientsAreSwitchedToTheUsersPlugin(
      String user, String password, String plugin, String conversation) {
    var client = new FakeClient(server, password);
    assertThat(client.connect(user, plugin, "")).isInstanceOf(Granted.class);
    assertThat(client.log).containsExactly(conversation);
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
    assertThat(client.log).isEmpty();
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
    "app, secret, other, 1044, 42000, Access denied for user 'app'@'192.168.0.9' to database 'other'",
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
        new AuthenticationRealm(new Authority(List.of(sha2), true, Map.of()), Set.of(), serverKey);
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

  private static void assertDenied(
      AuthenticationStep step, int errno, String sqlState, String message) {
    assertThat(step).isEqualTo(new Denied(new ErrPacket(errno, sqlState, message)));
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
        new Authority(List.of(users), allPermitted, grants), Set.of(), serverKey);
  }
}
