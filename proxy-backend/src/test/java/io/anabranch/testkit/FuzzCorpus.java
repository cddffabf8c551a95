package io.anabranch.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives a fuzzer's target what is kept of its inputs, and changes of these that are the same in
 * each run: {@code src/test/resources/fuzz/NAME.base64} has one input a line.
 */
public final class FuzzCorpus {

  /** Where fields end, and what they say about lengths and kinds. */
  private static final int[] EDGES = {
    0, 1, 2, 4, 7, 8, 10, 13, 0x1F, 0x20, 0x7F, 0x80, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF
  };

  private final List<byte[]> kept;

  private FuzzCorpus(List<byte[]> kept) {
    this.kept = kept;
  }

  /** What a fuzzer calls. */
  public interface Target {
    void tryOut(byte[] data);
  }

  /** The corpus of this name in the current module. */
  public static FuzzCorpus of(String name) {
    Path file = Path.of("src/test/resources/fuzz", name + ".base64");
    try (Stream<String> lines = Files.lines(file)) {
      return new FuzzCorpus(lines.map(Base64.getDecoder()::decode).toList());
    } catch (IOException e) {
      throw new IllegalStateException("no corpus " + name, e);
    }
  }

  /**
   * Tries all that is kept, and changes of each.
   *
   * @param changes of each input
   * @return how many were tried
   * @throws AssertionError with each place of the code that threw and the first input that led
   *     there, for {@code Base64}
   */
  public int tryAll(int changes, Target target) {
    var found = new TreeMap<String, byte[]>();
    int tried = 0;
    for (byte[] input : kept) {
      tryOut(input, target, found);
      var random = new Random(Arrays.hashCode(input));
      for (int i = 0; i < changes; i++) {
        tryOut(changed(input, random), target, found);
      }
      tried += 1 + changes;
    }
    if (!found.isEmpty()) {
      throw new AssertionError(
          found.entrySet().stream().map(FuzzCorpus::told).collect(Collectors.joining("\n")));
    }
    return tried;
  }

  private static String told(Map.Entry<String, byte[]> finding) {
    return finding.getKey() + ": " + Base64.getEncoder().encodeToString(finding.getValue());
  }

  private static void tryOut(byte[] input, Target target, Map<String, byte[]> found) {
    try {
      target.tryOut(input.clone());
    } catch (RuntimeException | Error thrown) {
      found.putIfAbsent(place(thrown), input);
    }
  }

  private static String place(Throwable thrown) {
    return Stream.of(thrown.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("io.anabranch"))
        .limit(3)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < ", thrown + " at ", ""));
  }

  private byte[] changed(byte[] input, Random random) {
    byte[] bytes = input.clone();
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      bytes = change(bytes, random);
    }
    return bytes;
  }

  private byte[] change(byte[] bytes, Random random) {
    int at = random.nextInt(bytes.length + 1);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> joined(bytes, at, new byte[] {edge(random)}, at);
      case 2 -> joined(bytes, at, new byte[0], Math.min(bytes.length, at + 1 + random.nextInt(8)));
      case 3 -> {
        byte[] other = kept.get(random.nextInt(kept.size()));
        yield joined(bytes, at, Arrays.copyOf(other, random.nextInt(other.length + 1)), at);
      }
      default -> {
        byte[] one = bytes.clone();
        if (at < one.length) {
          one[at] = random.nextBoolean() ? edge(random) : (byte) (one[at] ^ 1 << random.nextInt(8));
        }
        yield one;
      }
    };
  }

  private static byte[] joined(byte[] bytes, int end, byte[] middle, int from) {
    byte[] all = new byte[end + middle.length + bytes.length - from];
    System.arraycopy(bytes, 0, all, 0, end);
    System.arraycopy(middle, 0, all, end, middle.length);
    System.arraycopy(bytes, from, all, end + middle.length, bytes.length - from);
    return all;
  }

  private static byte edge(Random random) {
    return (byte) EDGES[random.nextInt(EDGES.length)];
  }
}
