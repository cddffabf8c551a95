package io.anabranch.frontend.auth;

import io.anabranch.protocol.handshake.CachingSha2;
import io.anabranch.protocol.handshake.ClearPassword;
import io.anabranch.protocol.handshake.Ed25519Password;
import io.anabranch.protocol.handshake.NativePassword;
import io.anabranch.rules.model.Authority.AuthenticationMethod;
import java.util.Locale;
import java.util.Map;

/**
 * What a client wants, while it is not known whether it may.
 *
 * @param method how it proves itself
 * @param name as the client wrote it
 */
record Attempt(
    Account account,
    AuthenticationMethod method,
    String name,
    String database,
    int collation,
    Map<String, String> attributes) {

  String plugin() {
    return switch (method) {
      case MYSQL_NATIVE_PASSWORD -> NativePassword.PLUGIN;
      case CACHING_SHA2_PASSWORD -> CachingSha2.PLUGIN;
      case ED25519 -> Ed25519Password.PLUGIN;
      case MYSQL_CLEAR_PASSWORD -> ClearPassword.PLUGIN;
    };
  }

  /** What failures are counted by. */
  String key() {
    return account.isKnown() ? account.toString() : name.toLowerCase(Locale.ROOT);
  }
}
