package io.anabranch.frontend.auth;

import io.anabranch.frontend.auth.AuthenticationStep.Ask;
import io.anabranch.frontend.auth.AuthenticationStep.Compute;
import io.anabranch.frontend.auth.AuthenticationStep.Continue;
import io.anabranch.frontend.auth.AuthenticationStep.Denied;
import io.anabranch.frontend.auth.AuthenticationStep.Granted;
import io.anabranch.frontend.auth.AuthenticationStep.StartTls;
import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.handshake.AuthMoreData;
import io.anabranch.protocol.handshake.AuthSwitchRequest;
import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.ClearPassword;
import io.anabranch.protocol.handshake.Ed25519Password;
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.message.ErrPacket;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.protocol.type.ServerStatus;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.Requirement;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The conversation by which one client proves who it is: when it connects, and again with
 * COM_CHANGE_USER. Knows no channel: {@link #greeting} is sent first, then each payload of the
 * client is given to {@link #accept} and the step it returns is carried out.
 *
 * <p>A user who does not exist is led through the same conversation as others and refused at its
 * end. Used on the session's event loop only.
 */
public final class Authenticator {

  /** MySQL's error for clients that know no plugins. */
  private static final ErrPacket OLD_CLIENT =
      new ErrPacket(
          1251,
          "08004",
          "Client does not support authentication protocol requested by server; consider upgrading"
              + " MySQL client");

  private static final String LOCALHOST = "localhost";

  private enum State {
    /** Handshake response or SSLRequest. */
    RESPONSE,
    /** The response of the plugin that the client was switched to. */
    SWITCHED,
    /** The password itself, or the wish for the public key. */
    PASSWORD,
    /** The password, encrypted with the public key. */
    ENCRYPTED_PASSWORD,
    /** Nothing until it is known whether the password is right. */
    COMPUTING,
    /** Nothing until the account store has answered. */
    ASKING,
    /** Nothing: authenticated or refused. */
    OVER
  }

  private final Supplier<AuthenticationRealm> realms;
  private final long serverCapabilities;
  private final FailedLogins failures;
  private final SecureRandom random;
  private final byte[] nonce;
  private byte[] longNonce = {};

  /** The plugin of the greeting. */
  private final String announced;

  private AuthenticationRealm realm;
  private State state = State.RESPONSE;
  private InetAddress address;
  private boolean isSecure;
  private boolean isByFile;
  private boolean hasCertificate;
  private long capabilities;
  private int zstdLevel;
  private boolean usedPassword;
  private @Nullable Attempt attempt;

  /**
   * @param realms gives the users that are in force now
   * @param serverCapabilities what the greeting offers; SSL among it only if TLS is configured
   * @param address of the client
   * @param failures shared by all clients
   * @param random for the nonce
   */
  public Authenticator(
      Supplier<AuthenticationRealm> realms,
      long serverCapabilities,
      InetAddress address,
      FailedLogins failures,
      SecureRandom random) {
    this.realms = realms;
    this.serverCapabilities = serverCapabilities;
    this.address = address;
    this.failures = failures;
    this.random = random;
    this.nonce = nonce(random, Greeting.SCRAMBLE_LENGTH);
    this.realm = realms.get();
    this.announced = realm.defaultPlugin();
  }

  /**
   * The first packet of the connection.
   *
   * @param collation default of the server, below 256
   */
  public Greeting greeting(String serverVersion, long threadId, int collation) {
    return new Greeting(
        serverVersion,
        threadId,
        nonce,
        serverCapabilities,
        collation,
        ServerStatus.AUTOCOMMIT,
        announced);
  }

  /** The client is somebody else than its address says: the PROXY protocol told. */
  public void address(InetAddress real) {
    address = real;
  }

  /**
   * The client connected by a socket file: it is {@code localhost}, and nobody reads along, so that
   * its password may come in clear as over TLS.
   *
   * @see <a
   *     href="https://dev.mysql.com/doc/refman/8.4/en/caching-sha2-pluggable-authentication.html">Caching
   *     SHA-2</a>
   */
  public void cameByFile() {
    isByFile = true;
  }

  /** Where the client comes from. */
  public InetAddress address() {
    return address;
  }

  /**
   * TLS is in place: passwords may come in clear, and SSLRequest must not come again.
   *
   * @param withCertificate the client has shown a certificate that is vouched for
   */
  public void secured(boolean withCertificate) {
    isSecure = true;
    hasCertificate = withCertificate;
  }

  /**
   * @param payload of the client's packet, read but not released
   * @throws ProtocolViolationException if it is malformed, or nothing is expected
   */
  public AuthenticationStep accept(ByteBuf payload) {
    return switch (state) {
      case RESPONSE -> response(payload);
      case SWITCHED -> verify(current(), Payloads.bytes(payload));
      case PASSWORD -> password(current(), Payloads.bytes(payload));
      case ENCRYPTED_PASSWORD -> encryptedPassword(current(), Payloads.bytes(payload));
      case COMPUTING, ASKING, OVER ->
          throw ProtocolViolationException.malformed("nothing was asked of the client");
    };
  }

  /** The end of {@link AuthenticationStep.Compute}. */
  public AuthenticationStep computed(boolean isRight) {
    if (state != State.COMPUTING) {
      throw new IllegalStateException("nothing was computed in state " + state);
    }
    return isRight ? grant(current(), null) : deny(current());
  }

  /**
   * The end of {@link AuthenticationStep.Ask}. What the account store has said holds if it is still
   * the one that is in force; as whom the account acts is decided by the users of now.
   *
   * @param answer null: there was none, which is told, and counts as no failure of the client's
   */
  public AuthenticationStep answered(AccountStore.@Nullable Answer answer) {
    if (state != State.ASKING) {
      throw new IllegalStateException("nobody was asked in state " + state);
    }
    Attempt begun = current();
    StoredAccounts asked = realm.stored();
    realm = realms.get();
    if (answer == null || !Objects.equals(asked, realm.stored())) {
      over();
      return denied(ErrorCatalogue.ACCOUNT_STORE_SILENT.refuse(begun.name()));
    }
    return switch (answer) {
      case AccountStore.Granted(List<String> groups) -> {
        Authority.User actor = realm.actor(groups, address);
        yield actor == null ? deny(begun) : grant(begun, actor, null);
      }
      case AccountStore.Refused _, AccountStore.Unknown _ -> deny(begun);
    };
  }

  /** Starts again for COM_CHANGE_USER; the nonce stays, as clients expect. */
  public AuthenticationStep changeUser(ClientCommand.ChangeUser command) {
    realm = realms.get();
    String plugin = command.plugin() == null ? "" : command.plugin();
    return begin(
        command.user(),
        command.database(),
        command.collation(),
        command.attributes(),
        plugin,
        command.authResponse());
  }

  /** The capabilities that both sides have; 0 before the client's response. */
  public long capabilities() {
    return capabilities;
  }

  private AuthenticationStep response(ByteBuf payload) {
    if (!isSecure && HandshakeResponse.isSslRequest(payload)) {
      if (!Capability.has(serverCapabilities, Capability.SSL)) {
        throw ProtocolViolationException.malformed("SSLRequest, but TLS was not offered");
      }
      return new StartTls();
    }
    HandshakeResponse response = HandshakeResponse.decode(payload);
    capabilities = response.capabilities() & serverCapabilities;
    zstdLevel = response.zstdLevel();
    if (realm.isTlsRequired() && !isPrivate()) {
      over();
      return denied(ErrorCatalogue.INSECURE_TRANSPORT.refuse());
    }
    return begin(
        response.user(),
        response.database(),
        response.collation(),
        response.attributes(),
        response.plugin(),
        response.authResponse());
  }

  private AuthenticationStep begin(
      String name,
      String database,
      int collation,
      Map<String, String> attributes,
      String plugin,
      byte[] response) {
    boolean knowsPlugins = Capability.has(capabilities, Capability.PLUGIN_AUTH);
    String used = plugin.isEmpty() || !knowsPlugins ? NativePassword.PLUGIN : plugin;
    Account account = realm.account(name, address);
    var begun = new Attempt(account, account.method(used), name, database, collation, attributes);
    attempt = begun;
    long locked = failures.lockedSeconds(begun.key(), address);
    if (locked > 0) {
      return locked(begun, locked);
    }
    if (begun.method() == AuthenticationMethod.MYSQL_CLEAR_PASSWORD && !isPrivate()) {
      over();
      return denied(ErrorCatalogue.CLEAR_PASSWORD_NEEDS_TLS.refuse(name));
    }
    // a client that does not know the greeting's plugin has seen no nonce, and says nothing
    boolean isAnswer = !knowsPlugins || used.equals(announced) || response.length > 0;
    if (knowsPlugins && begun.method() == AuthenticationMethod.ED25519) {
      // its nonce is longer than that of the greeting
      longNonce = nonce(random, Ed25519Password.NONCE_LENGTH);
      state = State.SWITCHED;
      return new Continue(
          Payloads.encode(new AuthSwitchRequest(begun.plugin(), longNonce)::encodeBare));
    }
    if (used.equals(begun.plugin()) && isAnswer) {
      return verify(begun, response);
    }
    if (!knowsPlugins) {
      over();
      return new Denied(OLD_CLIENT);
    }
    state = State.SWITCHED;
    return new Continue(Payloads.encode(new AuthSwitchRequest(begun.plugin(), nonce)::encode));
  }

  private AuthenticationStep verify(Attempt begun, byte[] response) {
    Account account = begun.account();
    return switch (begun.method()) {
      case MYSQL_NATIVE_PASSWORD -> {
        usedPassword = response.length > 0;
        yield account.verifyNative(response, nonce) ? grant(begun, null) : deny(begun);
      }
      case CACHING_SHA2_PASSWORD -> verifySha2(begun, response);
      case MYSQL_CLEAR_PASSWORD -> ask(begun, response);
      case ED25519 -> {
        usedPassword = response.length > 0;
        state = State.COMPUTING;
        yield new Compute(() -> account.verifySigned(response, longNonce));
      }
    };
  }

  /** No store is asked about an empty password: directories take one for nobody's login. */
  private AuthenticationStep ask(Attempt begun, byte[] response) {
    byte[] password = ClearPassword.of(response);
    StoredAccounts store = realm.stored();
    usedPassword = password.length > 0;
    if (!usedPassword || begun.name().isEmpty() || store == null) {
      return deny(begun);
    }
    state = State.ASKING;
    return new Ask(store, begun.name(), host(), password);
  }

  private AuthenticationStep verifySha2(Attempt begun, byte[] response) {
    usedPassword = !Account.isEmptySha2(response);
    if (begun.account().verifySha2(response, nonce)) {
      return grant(begun, usedPassword ? Payloads.moreData(CachingSha2.FAST_AUTH_SUCCESS) : null);
    }
    if (!usedPassword) {
      return deny(begun);
    }
    state = State.PASSWORD;
    return new Continue(Payloads.moreData(CachingSha2.PERFORM_FULL_AUTHENTICATION));
  }

  private AuthenticationStep password(Attempt begun, byte[] answer) {
    if (isPrivate()) {
      return verifyPlain(begun, CachingSha2.withoutNul(answer));
    }
    if (answer.length == 1 && answer[0] == CachingSha2.REQUEST_PUBLIC_KEY) {
      state = State.ENCRYPTED_PASSWORD;
      String key = CachingSha2.pem(realm.serverKey().getPublic());
      return new Continue(
          Payloads.encode(new AuthMoreData(key.getBytes(StandardCharsets.US_ASCII))::encode));
    }
    return encryptedPassword(begun, answer);
  }

  private AuthenticationStep encryptedPassword(Attempt begun, byte[] answer) {
    state = State.COMPUTING;
    PrivateKey key = realm.serverKey().getPrivate();
    return new Compute(
        () -> {
          byte[] password = CachingSha2.decrypt(answer, nonce, key);
          return password != null && begun.account().verifyPlain(password);
        });
  }

  private AuthenticationStep verifyPlain(Attempt begun, byte @Nullable [] password) {
    state = State.COMPUTING;
    return new Compute(() -> password != null && begun.account().verifyPlain(password));
  }

  private AuthenticationStep grant(Attempt begun, byte @Nullable [] payload) {
    return grant(begun, begun.account().user(), payload);
  }

  /**
   * @param user whose rights the client has
   */
  private AuthenticationStep grant(Attempt begun, Authority.User user, byte @Nullable [] payload) {
    over();
    if (!isSecuredAs(user.requirement())) {
      return accessDenied(begun);
    }
    // Again: others may have failed while this one was on its way.
    long locked = failures.lockedSeconds(begun.key(), address);
    if (locked > 0) {
      return locked(begun, locked);
    }
    failures.succeeded(begun.key(), address);
    if (!begun.database().isEmpty()) {
      try {
        realm.checkDatabase(user, begun.name(), host(), begun.database());
      } catch (RefusedException e) {
        return denied(e);
      }
    }
    var login =
        new Login(
            user,
            begun.name(),
            host(),
            begun.database(),
            capabilities,
            begun.collation(),
            begun.attributes(),
            zstdLevel);
    return new Granted(payload, login);
  }

  /** Whether nobody can read along. */
  private boolean isPrivate() {
    return isSecure || isByFile;
  }

  /** What accounts and messages call the place where the client comes from. */
  private String host() {
    return isByFile ? LOCALHOST : HostPattern.textOf(address);
  }

  private boolean isSecuredAs(Requirement requirement) {
    return switch (requirement) {
      case NONE -> true;
      case SSL -> isSecure;
      case X509 -> isSecure && hasCertificate;
    };
  }

  private AuthenticationStep deny(Attempt begun) {
    over();
    failures.failed(begun.key(), address);
    return accessDenied(begun);
  }

  private AuthenticationStep accessDenied(Attempt begun) {
    return denied(
        ErrorCatalogue.ACCESS_DENIED.refuse(begun.name(), host(), usedPassword ? "YES" : "NO"));
  }

  private AuthenticationStep locked(Attempt begun, long secondsLeft) {
    over();
    return denied(
        ErrorCatalogue.ACCOUNT_LOCKED.refuse(
            begun.name(),
            host(),
            failures.seconds(begun.key(), address),
            secondsLeft,
            failures.limit()));
  }

  /** What the client has said of itself is not kept for the session's sake. */
  private void over() {
    state = State.OVER;
    attempt = null;
  }

  private static Denied denied(RefusedException e) {
    String message = e.getMessage();
    return new Denied(new ErrPacket(e.errno(), e.sqlState(), message == null ? "" : message));
  }

  private Attempt current() {
    if (attempt == null) {
      throw new IllegalStateException("no attempt in state " + state);
    }
    return attempt;
  }

  /** Printable, as MySQL's: neither NUL, which would end it, nor {@code $}. */
  private static byte[] nonce(SecureRandom random, int length) {
    byte[] nonce = new byte[length];
    for (int i = 0; i < nonce.length; i++) {
      nonce[i] = (byte) (random.nextInt('z' - '0' + 1) + '0');
    }
    return nonce;
  }
}
