package io.anabranch.frontend.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

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
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.type.Capability;
import io.anabranch.protocol.type.ProtocolViolationException;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.StoredAccounts;
import io.anabranch.rules.model.Authority;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.ClientProperties.Lockout;
import io.anabranch.testkit.FuzzInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The packets of a login, either side's: each is understood, and understood alike when it is
 * written again, or a violation; and no conversation ends in being let in without the password.
 */
public final class HandshakeTarget {

  private static final long CAPABILITIES =
      FakeClient.CAPABILITIES
          | Capability.SSL
          | Capability.CONNECT_ATTRS
          | Capability.PLUGIN_AUTH_LENENC_CLIENT_DATA
          | Capability.ZSTD_COMPRESSION;

  private static final KeyPair KEY = CachingSha2.generateKeyPair();

  private static final StoredAccounts STORED =
      new StoredAccounts(
          (_, _, _) -> new AccountStore.Refused(),
          "TEST",
          Map.of(),
          1000,
          1,
          List.of(new StoredAccounts.Role(StoredAccounts.EVERYBODY, "app")));

  private static final AuthenticationRealm REALM =
      new AuthenticationRealm(
          new Authority(
              List.of(
                  user("app", AuthenticationMethod.MYSQL_NATIVE_PASSWORD),
                  user("modern", AuthenticationMethod.CACHING_SHA2_PASSWORD)),
              false,
              Map.of("app@%", Set.of("shop")),
              STORED),
          Map.of("shop", VisibleDatabase.PLAIN),
          ServerKey.generate(),
          false);

  private HandshakeTarget() {}

  private static User user(String name, AuthenticationMethod method) {
    return new User(name, "%", "a password that nobody guesses", false, method);
  }

  /**
   * Called by the fuzzer.
   *
   * @param data the first byte chooses the packet
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    try {
      switch (input.choice(8)) {
        case 0 -> rewritten(input.rest(), Greeting::decode, HandshakeTarget::encode);
        case 1 -> rewritten(input.rest(), HandshakeResponse::decode, it -> it::encode);
        case 2 -> rewritten(input.rest(), AuthSwitchRequest::decode, it -> it::encode);
        case 3 -> rewritten(input.rest(), AuthMoreData::decode, it -> it::encode);
        case 4 -> {
          byte[] nonce = new byte[Greeting.SCRAMBLE_LENGTH];
          byte[] answer = input.rest();
          if (CachingSha2.verify(answer, nonce, new byte[32])
              || CachingSha2.decrypt(answer, nonce, KEY.getPrivate()) != null) {
            throw new IllegalStateException("guessed");
          }
        }
        default -> conversation(input);
      }
    } catch (ProtocolViolationException violation) {
      // what is malformed is told so
    }
  }

  /** Of servers whose scrambles are cut none is written. */
  private static Consumer<ByteBuf> encode(Greeting greeting) {
    return greeting.scramble().length == Greeting.SCRAMBLE_LENGTH
        ? greeting::encode
        : new AuthMoreData(greeting.scramble())::encode;
  }

  /** What is written of a packet is read as the same. */
  private static <T> void rewritten(
      byte[] bytes, Function<ByteBuf, T> decode, Function<T, Consumer<ByteBuf>> encode) {
    byte[] once = written(encode.apply(decode.apply(Unpooled.wrappedBuffer(bytes))));
    T again;
    try {
      again = decode.apply(Unpooled.wrappedBuffer(once));
    } catch (ProtocolViolationException unreadable) {
      if (once[0] == AuthMoreData.HEADER) {
        return;
      }
      throw new IllegalStateException(
          ByteBufUtil.hexDump(once) + " of " + ByteBufUtil.hexDump(bytes), unreadable);
    }
    byte[] twice = written(encode.apply(again));
    if (!ByteBufUtil.hexDump(once).equals(ByteBufUtil.hexDump(twice))) {
      throw new IllegalStateException(
          ByteBufUtil.hexDump(once) + " became " + ByteBufUtil.hexDump(twice));
    }
  }

  private static byte[] written(Consumer<ByteBuf> encode) {
    ByteBuf out = Unpooled.buffer();
    encode.accept(out);
    byte[] bytes = ByteBufUtil.getBytes(out);
    out.release();
    return bytes;
  }

  private static void conversation(FuzzInput input) {
    var failures = new FailedLogins(new Lockout(3, 60), () -> 0);
    var server =
        new Authenticator(
            () -> REALM,
            CAPABILITIES,
            InetAddress.ofLiteral("192.0.2.1"),
            failures,
            new SameNonce());
    server.greeting("8", 1, 45);
    boolean isOver = false;
    while (!isOver && !input.isEmpty()) {
      isOver = carriedOut(server, step(server, input));
    }
  }

  private static AuthenticationStep step(Authenticator server, FuzzInput input) {
    boolean changesUser = input.choice(16) == 1;
    byte[] payload = input.take(input.choice(251));
    if (!changesUser) {
      return server.accept(Unpooled.wrappedBuffer(payload));
    }
    byte[] command = new byte[payload.length + 1];
    command[0] = 0x11;
    System.arraycopy(payload, 0, command, 1, payload.length);
    var decoded =
        ClientCommand.decode(Unpooled.wrappedBuffer(command), server.capabilities(), UTF_8);
    return server.changeUser((ClientCommand.ChangeUser) decoded);
  }

  /** Whether that is the end. */
  private static boolean carriedOut(Authenticator server, AuthenticationStep step) {
    return switch (step) {
      case Continue(byte[] payload) -> payload.length == 0;
      case Compute(var check) -> carriedOut(server, server.computed(check.getAsBoolean()));
      case Ask _ -> carriedOut(server, server.answered(new AccountStore.Refused()));
      case StartTls() -> {
        server.secured(false);
        yield false;
      }
      case Granted(byte[] _, Login login) ->
          throw new IllegalStateException("let in without the password: " + login);
      case Denied _ -> true;
    };
  }

  /** So that a finding can be repeated. */
  private static final class SameNonce extends SecureRandom {
    private static final long serialVersionUID = 1L;

    @Override
    public int nextInt(int bound) {
      return bound / 2;
    }
  }
}
