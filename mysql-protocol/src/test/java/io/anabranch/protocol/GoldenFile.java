package io.anabranch.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Packets in hexadecimal, read from a resource beside the test.
 *
 * <p>A line starts with a mark; what follows up to {@code #} are bytes, blanks ignored. A line that
 * starts with a blank continues the packet before it. Lines that start with {@code #} are comments.
 */
public record GoldenFile(List<Packet> packets) {

  /**
   * @param mark who sent it, or what it is; the test's own word
   */
  public record Packet(String mark, byte[] payload) {}

  public static GoldenFile read(Class<?> test, String name) {
    try (InputStream in = test.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GoldenFile parse(String text) {
    var marks = new ArrayList<String>();
    var digits = new ArrayList<StringBuilder>();
    for (String line : text.lines().toList()) {
      int comment = line.indexOf('#');
      String content = comment < 0 ? line : line.substring(0, comment);
      if (content.isBlank()) {
        continue;
      }
      if (content.charAt(0) != ' ') {
        String mark = content.strip().split(" ", 2)[0];
        marks.add(mark);
        digits.add(new StringBuilder());
        content = content.substring(mark.length());
      }
      digits.getLast().append(content.replace(" ", ""));
    }
    var packets = new ArrayList<Packet>();
    for (int i = 0; i < marks.size(); i++) {
      byte[] payload = HexFormat.of().parseHex(digits.get(i));
      packets.add(new Packet(marks.get(i), payload));
    }
    return new GoldenFile(List.copyOf(packets));
  }

  /** The payloads of one mark, in order. */
  public List<byte[]> payloads(String mark) {
    return packets.stream().filter(p -> p.mark().equals(mark)).map(Packet::payload).toList();
  }
}
