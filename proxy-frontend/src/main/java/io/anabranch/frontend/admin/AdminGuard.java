package io.anabranch.frontend.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says who may use the pages that change something or tell more than metrics and health: who shows
 * the token, or, where none is configured, who is on this machine. Thread-safe.
 */
final class AdminGuard {

  private static final String BEARER = "Bearer ";

  private final Supplier<String> token;

  /** What becomes of a request. */
  enum Verdict {
    ALLOWED,
    TOKEN_MISSING,
    TOKEN_WRONG,
    NOT_FROM_HERE,
    FROM_A_BROWSER
  }

  /**
   * @param token asked for each request; empty: there is none
   */
  AdminGuard(Supplier<String> token) {
    this.token = token;
  }

  Verdict judge(HttpHeaders headers, @Nullable SocketAddress client) {
    // a browser that another site's page makes send something says so
    if (headers.contains(HttpHeaderNames.ORIGIN)) {
      return Verdict.FROM_A_BROWSER;
    }
    String wanted = token.get();
    if (wanted.isEmpty()) {
      return withoutToken(headers, client);
    }
    String shown = headers.get(HttpHeaderNames.AUTHORIZATION);
    if (shown == null || !shown.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Verdict.TOKEN_MISSING;
    }
    return isSame(shown.substring(BEARER.length()).strip(), wanted)
        ? Verdict.ALLOWED
        : Verdict.TOKEN_WRONG;
  }

  private static Verdict withoutToken(HttpHeaders headers, @Nullable SocketAddress client) {
    if (!(client instanceof InetSocketAddress address) || !isLoopback(address)) {
      return Verdict.NOT_FROM_HERE;
    }
    // a browser may be led here by a name that somebody else resolves, and says that name
    return isOwnName(headers.get(HttpHeaderNames.HOST)) ? Verdict.ALLOWED : Verdict.FROM_A_BROWSER;
  }

  private static boolean isLoopback(InetSocketAddress address) {
    InetAddress from = address.getAddress();
    return from != null && from.isLoopbackAddress();
  }

  private static boolean isOwnName(@Nullable String host) {
    if (host == null) {
      return true;
    }
    String name = host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || NetUtil.isValidIpV4Address(name)
        || (name.startsWith("[") && NetUtil.isValidIpV6Address(name));
  }

  /** As long for each, however many characters are right. */
  private static boolean isSame(String shown, String wanted) {
    return MessageDigest.isEqual(digest(shown), digest(wanted));
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
