package io.anabranch.frontend.command;

import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * {@code SHOW STATUS LIKE 'Ssl_cipher'} and {@code 'Ssl_version'}, by which clients make sure of
 * their TLS: it is the client's connection that counts, not the proxy's to a database.
 */
final class TlsStatus {

  private static final int NAME = 64;
  private static final int VALUE = 2048;

  private TlsStatus() {}

  /** Whether the statement asks for one of them, and has been answered. */
  static boolean answer(SqlTokens tokens, Answer answer) {
    boolean isScoped = tokens.isWord(1, "SESSION") || tokens.isWord(1, "LOCAL");
    int status = isScoped ? 2 : 1;
    if (!tokens.isWord(status, "STATUS")
        || !tokens.isWord(status + 1, "LIKE")
        || tokens.size() != status + 3
        || tokens.kind(status + 2) != TokenKind.STRING) {
      return false;
    }
    SSLSession tls = session(answer.session());
    String literal = tokens.text(status + 2).toLowerCase(Locale.ROOT);
    String name;
    String value;
    switch (literal.substring(1, literal.length() - 1)) {
      case "ssl_cipher" -> {
        name = "Ssl_cipher";
        value = tls == null ? "" : cipher(tls.getCipherSuite());
      }
      case "ssl_version" -> {
        name = "Ssl_version";
        value = tls == null ? "" : tls.getProtocol();
      }
      default -> {
        return false;
      }
    }
    answer.rows(
        List.of(LocalColumns.text("Variable_name", NAME), LocalColumns.text("Value", VALUE)),
        List.of(List.of(name, value)));
    return true;
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
