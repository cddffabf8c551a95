package io.anabranch.rules.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads a file that has an end. A pipe would be waited for, a device goes on for ever, and what was
 * put in a file's place by mistake may be larger than memory: a proxy that runs is not to end by
 * such a name.
 */
public final class PlainFile {

  /** Of a file of the configuration: more than those of a thousand sharded tables have. */
  public static final int MOST_CONFIGURATION = 4 << 20;

  /** Of a secret, a key or certificates. */
  public static final int MOST_SECRET = 1 << 20;

  private PlainFile() {}

  /**
   * Blocks.
   *
   * @param most bytes
   * @throws NoSuchFileException if it is not there
   * @throws FileSystemException with a reason, a half sentence, if it is no plain file or larger
   */
  public static byte[] bytes(Path file, int most) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    if (!Files.isRegularFile(file)) {
      throw refused(file, "is no plain file");
    }
    try (InputStream content = Files.newInputStream(file)) {
      byte[] bytes = content.readNBytes(most + 1);
      if (bytes.length > most) {
        throw refused(file, "is larger than " + (most >> 20) + " MiB");
      }
      return bytes;
    }
  }

  /**
   * The same as UTF-8.
   *
   * @throws java.nio.charset.CharacterCodingException if it is none
   */
  public static String text(Path file, int most) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(bytes(file, most));
    return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
  }

  private static FileSystemException refused(Path file, String reason) {
    return new FileSystemException(file.toString(), null, reason);
  }
}
