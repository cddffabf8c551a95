package io.anabranch.app.live;

import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.file.PlainFile;
import io.anabranch.rules.secret.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the files of a configuration hold at one moment, those behind {@code ${file:path}} included.
 * Contents and not times are compared: a file that is put in place by a link, as containers do it,
 * has changed, and one that was merely touched has not.
 *
 * @param digests by the file's path; of a file that cannot be read why not
 */
record FilesSeen(Map<String, String> digests) {

  /** What is longer is refused by those who read it: its length tells one version from another. */
  FilesSeen {
    digests = Map.copyOf(digests);
  }

  /** Looks at them. Reads files. */
  static FilesSeen in(Path directory) {
    var digests = new TreeMap<String, String>();
    for (Path file : configuration(directory, digests)) {
      String text = look(file, digests);
      for (String named : Secrets.files(text)) {
        try {
          look(directory.resolve(named), digests);
        } catch (InvalidPathException e) {
          digests.put(named, "no path");
        }
      }
    }
    return new FilesSeen(digests);
  }

  private static List<Path> configuration(Path directory, Map<String, String> digests) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> ConfigurationLoader.reads(String.valueOf(file.getFileName())))
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException unreadable) {
      digests.put(directory.toString(), unreadable.toString());
      return List.of();
    }
  }

  /** Its text; empty if it has none. */
  private static String look(Path file, Map<String, String> digests) {
    String place = file.toString();
    try {
      byte[] content = PlainFile.bytes(file, PlainFile.MOST_CONFIGURATION);
      digests.put(place, HexFormat.of().formatHex(sha256().digest(content)));
      return new String(content, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      digests.put(place, unreadable.toString());
      return "";
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
