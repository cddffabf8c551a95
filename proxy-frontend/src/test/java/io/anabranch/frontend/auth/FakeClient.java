package io.anabranch.frontend.auth;

import io.anabranch.protocol.command.ClientCommand;
import io.anabranch.protocol.handshake.AuthMoreData;
import io.anabranch.protocol.handshake.AuthSwitchRequest;
import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.ClearPassword;
import io.anabranch.protocol.handshake.Ed25519Password;
import io.anabranch.protocol.handshake.Greeting;
import io.anabranch.protocol.handshake.HandshakeResponse;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.protocol.type.Capability;
import io.anabranch.rules.account.AccountStore;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client's side of authentication, as a driver plays it. */
final class FakeClient {

  static final long CAPABILITIES =
      Capability.PROTOCOL_41
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_WITH_DB
          | Capability.TRANSACTIONS;

  private final Authenticator server;
  private final byte[] password;
  private final long capabilities;

  /** Sent instead of the first scramble, to be led through full authentication. */
  private boolean spoilsScramble;

  private boolean isSilent;
  private boolean isSecure;
  private boolean hasCertificate;
  private byte[] nonce = {};

  /** What happened, for assertions. */
  final List<String> log = new ArrayList<>();

  FakeClient(Authenticator server, String password, long capabilities) {
    this.server = server;
    this.password = password.getBytes(StandardCharsets.UTF_8);
    this.capabilities = capabilities;
  }

  FakeClient(Authenticator server, String password) {
    this(server, password, CAPABILITIES);
  }

  FakeClient spoilingScrambles() {
    spoilsScramble = true;
    return this;
  }

  /** It does not know the greeting's plugin. */
  FakeClient withoutFirstAnswer() {
    isSilent = true;
    return this;
  }

  FakeClient withCertificate() {
    hasCertificate = true;
    return this;
  }

  FakeClient overTls() {
    isSecure = true;
    return this;
  }

  AuthenticationStep connect(String user, String plugin, String database) {
    Greeting greeting = server.greeting("8.0.0", 1, 45);
    nonce = greeting.scramble();
    var response =
        new HandshakeResponse(
            capabilities | (isSecure ? Capability.SSL : 0),
            1 << 24,
            45,
            user,
            isSilent ? new byte[0] : scramble(plugin),
            database,
            plugin,
            Map.of(),
            0);
    if (isSecure) {
      log.add("tls " + server.accept(encoded(response::encodeSslRequest)));
      server.secured(hasCertificate);
    }
    return converse(server.accept(encoded(response::encode)));
  }

  AuthenticationStep changeUser(String user, String plugin, String database) {
    var command =
        new ClientCommand.ChangeUser(user, scramble(plugin), database, 0, plugin, Map.of());
    return converse(server.changeUser(command));
  }

  private AuthenticationStep converse(AuthenticationStep first) {
    AuthenticationStep step = first;
    while (true) {
      switch (step) {
        case AuthenticationStep.Continue(byte[] payload) ->
            step = server.accept(Unpooled.wrappedBuffer(answer(payload)));
        case AuthenticationStep.Compute(BooleanSupplier check) ->
            step = server.computed(check.getAsBoolean());
        case AuthenticationStep.Ask ask -> {
          log.add("asked " + ask.name() + " " + ask.address());
          step = server.answered(answer(ask));
        }
        default -> {
          return step;
        }
      }
    }
  }

  private static AccountStore.@Nullable Answer answer(AuthenticationStep.Ask ask) {
    try {
      return ask.store().store().ask(ask.name(), ask.address(), ask.password());
    } catch (Exception silent) {
      return null;
    }
  }

  private byte[] answer(byte[] payload) {
    ByteBuf in = Unpooled.wrappedBuffer(payload);
    if (payload[0] == (byte) AuthSwitchRequest.HEADER) {
      AuthSwitchRequest request = AuthSwitchRequest.decode(in);
      log.add("switch " + request.plugin());
      nonce = request.data();
      return scramble(request.plugin());
    }
    byte[] data = AuthMoreData.decode(in).data();
    if (data.length == 1 && data[0] == CachingSha2.PERFORM_FULL_AUTHENTICATION) {
      log.add("full");
      return isSecure
          ? Arrays.copyOf(password, password.length + 1)
          : new byte[] {CachingSha2.REQUEST_PUBLIC_KEY};
    }
    log.add("key");
    return encrypted(new String(data, StandardCharsets.US_ASCII));
  }

  private byte[] encrypted(String pem) {
    String base64 = pem.replaceAll("-----[A-Z ]+-----|\\s", "");
    try {
      PublicKey key =
          KeyFactory.getInstance("RSA")
              .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(base64)));
      return CachingSha2.encrypt(password, nonce, key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The standard's seeds are passwords of 32 bytes. */
  private byte[] signed() {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(
          KeyFactory.getInstance("Ed25519")
              .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, password)));
      signature.update(nonce);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] scramble(String plugin) {
    if (plugin.equals(Ed25519Password.PLUGIN)) {
      return signed();
    }
    if (plugin.equals(ClearPassword.PLUGIN)) {
      return Arrays.copyOf(password, password.length + 1);
    }
    if (!plugin.equals(NativePassword.PLUGIN) && !plugin.equals(CachingSha2.PLUGIN)) {
      return new byte[] {1, 2, 3};
    }
    byte[] scramble =
        plugin.equals(NativePassword.PLUGIN)
            ? NativePassword.scramble(password, nonce)
            : CachingSha2.scramble(password, nonce);
    if (spoilsScramble && scramble.length > 0) {
      scramble[0] ^= 1;
    }
    return scramble;
  }

  private static ByteBuf encoded(Consumer<ByteBuf> encoder) {
    ByteBuf out = Unpooled.buffer();
    encoder.accept(out);
    return out;
  }
}
