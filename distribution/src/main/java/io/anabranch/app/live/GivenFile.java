package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A file that an administrator names in a statement. */
final class GivenFile {

  /** More than the files of a thousand sharded tables have. */
  private static final int MOST_BYTES = 4 << 20;

  private GivenFile() {}

  /**
   * Blocks. What is in it gets into no message.
   *
   * @param directory where relative paths begin
   * @throws ConfigurationRefusedException if it cannot be read, is no plain file, or too large
   */
  static ConfigurationText read(Path directory, String path) {
    try {
      Path file = directory.resolve(path);
      if (!Files.exists(file)) {
        throw new NoSuchFileException(path);
      }
      if (!Files.isRegularFile(file)) {
        // a pipe would be waited for, a device has no end
        throw refused(path, "is no plain file");
      }
      byte[] bytes;
      try (InputStream content = Files.newInputStream(file)) {
        bytes = content.readNBytes(MOST_BYTES + 1);
      }
      if (bytes.length > MOST_BYTES) {
        throw refused(path, "is larger than " + (MOST_BYTES >> 20) + " MiB");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return new ConfigurationText(String.valueOf(file.getFileName()), text);
    } catch (InvalidPathException e) {
      throw refused(path, "is no path");
    } catch (NoSuchFileException e) {
      throw refused(path, "does not exist on the proxy's machine");
    } catch (AccessDeniedException e) {
      throw refused(path, "may not be read by the proxy");
    } catch (CharacterCodingException e) {
      throw refused(path, "is no UTF-8 text");
    } catch (IOException e) {
      throw refused(path, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static ConfigurationRefusedException refused(String path, String reason) {
    return new ConfigurationRefusedException(List.of("the file `" + path + "` " + reason));
  }
}
