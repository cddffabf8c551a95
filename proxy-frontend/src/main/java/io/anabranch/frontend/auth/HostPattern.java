package io.anabranch.frontend.auth;

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
  private final @Nullable InetAddress address;

  /** Bits of {@link #address} that count; meaningless without it. */
  private final int prefix;

  private final int precision;

  private HostPattern(String text, @Nullable InetAddress address, int prefix, int precision) {
    this.text = text;
    this.address = address;
    this.prefix = prefix;
    this.precision = precision;
  }

  static HostPattern of(String host) {
    String text = host.isEmpty() ? "%" : host.toLowerCase(Locale.ROOT);
    int slash = text.indexOf('/');
    InetAddress address = literal(slash < 0 ? text : text.substring(0, slash));
    if (address != null) {
      int width = address.getAddress().length * Byte.SIZE;
      int prefix = slash < 0 ? width : prefix(text.substring(slash + 1), width);
      if (prefix >= 0) {
        return new HostPattern(text, address, prefix, prefix == width ? EXACT : NETWORK + prefix);
      }
    }
    int wildcard = firstWildcard(text);
    return new HostPattern(text, null, 0, wildcard < 0 ? EXACT : wildcard);
  }

  boolean matches(InetAddress client) {
    if (address != null) {
      return sharesPrefix(address.getAddress(), client.getAddress(), prefix);
    }
    if (text.equals("localhost")) {
      return client.isLoopbackAddress();
    }
    return like(text, textOf(client));
  }

  /** An address in the form that patterns and messages have, without the scope of IPv6. */
  static String textOf(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
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

  private static @Nullable InetAddress literal(String text) {
    try {
      return InetAddress.ofLiteral(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Length of a network given as a number or as a mask; −1 if it is neither. */
  private static int prefix(String text, int width) {
    if (!text.isEmpty() && text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      int prefix = Integer.parseInt(text);
      return prefix <= width ? prefix : -1;
    }
    InetAddress mask = literal(text);
    return mask == null || mask.getAddress().length * Byte.SIZE != width
        ? -1
        : leadingOnes(mask.getAddress());
  }

  /** −1 if ones follow after a zero. */
  private static int leadingOnes(byte[] mask) {
    int ones = 0;
    boolean ended = false;
    for (byte part : mask) {
      for (int bit = 7; bit >= 0; bit--) {
        boolean one = (part & (1 << bit)) != 0;
        if (one && ended) {
          return -1;
        }
        ended |= !one;
        ones += one ? 1 : 0;
      }
    }
    return ones;
  }

  private static boolean sharesPrefix(byte[] network, byte[] client, int bits) {
    if (network.length != client.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int bit = 1 << (7 - (i & 7));
      if (((network[i >> 3] ^ client[i >> 3]) & bit) != 0) {
        return false;
      }
    }
    return true;
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
