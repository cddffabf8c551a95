package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.file.PlainFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A file that an administrator names in a statement. */
final class GivenFile {

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
      String text = PlainFile.text(file, PlainFile.MOST_CONFIGURATION);
      return new ConfigurationText(String.valueOf(file.getFileName()), text);
    } catch (InvalidPathException e) {
      throw refused(path, "is no path");
    } catch (NoSuchFileException e) {
      throw refused(path, "does not exist on the proxy's machine");
    } catch (AccessDeniedException e) {
      throw refused(path, "may not be read by the proxy");
    } catch (CharacterCodingException e) {
      throw refused(path, "is no UTF-8 text");
    } catch (FileSystemException e) {
      String reason = e.getReason();
      throw refused(path, reason == null ? "cannot be read" : reason);
    } catch (IOException e) {
      throw refused(path, "cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }

  private static ConfigurationRefusedException refused(String path, String reason) {
    return new ConfigurationRefusedException(List.of("the file `" + path + "` " + reason));
  }
}
