package io.anabranch.frontend.auth;

import io.anabranch.rules.model.Network;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The host part of an account, matched against a client's address; names are not looked up.
 *
 * <p>As in MySQL: a text with {@code %} (any characters) and {@code _} (one character), a network
 * {@code 10.1.0.0/16} or {@code 10.1.0.0/255.255.0.0}, or one address. {@code localhost} is any
 * loopback address. Patterns sort by how much they say: addresses, networks by their length, texts
 * by where the first wildcard stands, {@code %} last.
 */
final class HostPattern implements Comparable<HostPattern> {

  private static final int EXACT = 1_000;
  private static final int NETWORK = 500;

  private final String text;
  private final @Nullable Network network;
  private final int precision;

  private HostPattern(String text, @Nullable Network network, int precision) {
    this.text = text;
    this.network = network;
    this.precision = precision;
  }

  static HostPattern of(String host) {
    String text = host.isEmpty() ? "%" : host.toLowerCase(Locale.ROOT);
    Network network = Network.parse(text);
    if (network != null) {
      int precision = network.isSingleAddress() ? EXACT : NETWORK + network.prefix();
      return new HostPattern(text, network, precision);
    }
    int wildcard = firstWildcard(text);
    return new HostPattern(text, null, wildcard < 0 ? EXACT : wildcard);
  }

  boolean matches(InetAddress client) {
    if (network != null) {
      return network.contains(client);
    }
    if (text.equals("localhost")) {
      return client.isLoopbackAddress();
    }
    return like(text, textOf(client));
  }

  /** An address in the form that patterns and messages have: RFC 5952, without a scope. */
  static String textOf(InetAddress address) {
    return NetUtil.toAddressString(address);
  }

  /** The more precise one first. */
  @Override
  public int compareTo(HostPattern other) {
    return Integer.compare(other.precision, precision);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HostPattern pattern && pattern.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private static int firstWildcard(String text) {
    int percent = text.indexOf('%');
    int underscore = text.indexOf('_');
    return percent < 0 || underscore < 0
        ? Math.max(percent, underscore)
        : Math.min(percent, underscore);
  }

  /** LIKE without escapes; backtracks to the latest {@code %} only, so its time is bounded. */
  private static boolean like(String pattern, String value) {
    int p = 0;
    int v = 0;
    int percent = -1;
    int resume = -1;
    while (v < value.length()) {
      char wanted = p < pattern.length() ? pattern.charAt(p) : '\0';
      if (wanted == '%') {
        percent = p++;
        resume = v;
      } else if (wanted == '_' || wanted == value.charAt(v)) {
        p++;
        v++;
      } else if (percent >= 0) {
        p = percent + 1;
        v = ++resume;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '%') {
      p++;
    }
    return p == pattern.length();
  }
}
