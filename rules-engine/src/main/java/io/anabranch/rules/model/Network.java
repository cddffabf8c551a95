package io.anabranch.rules.model;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that share their leading bits: {@code 10.1.0.0/16}, {@code 10.1.0.0/255.255.0.0},
 * {@code fd00::/8}, or one address. Immutable.
 */
public final class Network {

  private final byte[] address;
  private final int prefix;

  private Network(byte[] address, int prefix) {
    this.address = address;
    this.prefix = prefix;
  }

  /**
   * @return null if the text is no network: a name, a text with wildcards, a mask with holes
   */
  public static @Nullable Network parse(String text) {
    int slash = text.indexOf('/');
    byte[] address = literal(slash < 0 ? text : text.substring(0, slash));
    if (address == null) {
      return null;
    }
    int width = address.length * Byte.SIZE;
    int prefix = slash < 0 ? width : prefix(text.substring(slash + 1), width);
    return prefix < 0 ? null : new Network(address, prefix);
  }

  public boolean contains(InetAddress other) {
    byte[] candidate = other.getAddress();
    if (candidate.length != address.length) {
      return false;
    }
    for (int i = 0; i < prefix; i++) {
      int bit = 1 << (7 - (i & 7));
      if (((address[i >> 3] ^ candidate[i >> 3]) & bit) != 0) {
        return false;
      }
    }
    return true;
  }

  /** How many leading bits count: 32 or 128 for one address. */
  public int prefix() {
    return prefix;
  }

  public boolean isSingleAddress() {
    return prefix == address.length * Byte.SIZE;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Network network
        && prefix == network.prefix
        && Arrays.equals(address, network.address);
  }

  @Override
  public int hashCode() {
    return Objects.hash(Arrays.hashCode(address), prefix);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (byte part : address) {
      text.append(text.isEmpty() ? "" : ".").append(part & 0xFF);
    }
    return text.append('/').append(prefix).toString();
  }

  private static byte @Nullable [] literal(String text) {
    try {
      return InetAddress.ofLiteral(text).getAddress();
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
    byte[] mask = literal(text);
    return mask == null || mask.length * Byte.SIZE != width ? -1 : leadingOnes(mask);
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
}
