package io.anabranch.frontend.show;

import io.anabranch.frontend.session.Session;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** {@code Ssl_cipher} and {@code Ssl_version} of a client's connection; empty without TLS. */
final class TlsStatus {

  private TlsStatus() {}

  static String cipher(Session of) {
    SSLSession tls = session(of);
    return tls == null ? "" : cipher(tls.getCipherSuite());
  }

  static String version(Session of) {
    SSLSession tls = session(of);
    return tls == null ? "" : tls.getProtocol();
  }

  private static @Nullable SSLSession session(Session session) {
    SslHandler handler = session.channel().pipeline().get(SslHandler.class);
    return handler == null ? null : handler.engine().getSession();
  }

  /** The name that OpenSSL gives it, as servers show; those of TLS 1.3 have but one. */
  private static String cipher(String suite) {
    int with = suite.indexOf("_WITH_");
    if (with < 0) {
      return suite;
    }
    String keys = suite.substring("TLS_".length(), with);
    String rest = suite.substring(with + "_WITH_".length());
    boolean isChaCha = rest.startsWith("CHACHA20_POLY1305");
    String shown = isChaCha ? "CHACHA20-POLY1305" : rest.replace("AES_", "AES").replace("_CBC", "");
    return (keys.equals("RSA") ? shown : keys + "_" + shown).replace('_', '-');
  }
}
