package io.anabranch.app.cluster;

import io.anabranch.backend.registry.Revision;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.file.PlainFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the last configuration that this proxy has worked with, on its own disk: what it starts
 * with when the registry does not answer. Readable for the owner alone, as the files hold
 * passwords. A folder named by the revision is filled under another name and then renamed, so that
 * it is whole or not there. Thread-safe.
 */
final class LastGood {

  private static final Logger log = LoggerFactory.getLogger(LastGood.class);
  private static final String REVISION = "revision-";
  private static final String UNFINISHED = ".unfinished";

  private final Path directory;

  /**
   * @param configuration the folder of the configuration; the copy is in a folder of it
   */
  LastGood(Path configuration) {
    this.directory = configuration.resolve(".cluster");
  }

  /** Keeps it instead of the former one. A disk that does not take it is told in the log. */
  synchronized void keep(Revision revision) {
    Path target = directory.resolve(REVISION + revision.number());
    Path unfinished = directory.resolve(UNFINISHED);
    try {
      createOwn(directory);
      delete(unfinished);
      createOwn(unfinished);
      for (ConfigurationText text : revision.texts()) {
        Files.writeString(unfinished.resolve(text.fileName()), text.content());
      }
      delete(target);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
      for (Path other : kept()) {
        if (!other.equals(target)) {
          delete(other);
        }
      }
    } catch (IOException failure) {
      log.warn(
          "cluster: revision {} is not kept on this disk ({}): without the registry this proxy"
              + " would start with an older one, or not at all",
          revision.number(),
          failure.toString());
    }
  }

  /**
   * Null: there is none.
   *
   * @throws IOException if it is there and cannot be read
   */
  synchronized @Nullable Revision read() throws IOException {
    List<Path> kept = kept();
    if (kept.isEmpty()) {
      return null;
    }
    Path newest = kept.getLast();
    var texts = new ArrayList<ConfigurationText>();
    try (Stream<Path> files = Files.list(newest)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (ConfigurationLoader.reads(name)) {
          texts.add(
              new ConfigurationText(name, PlainFile.text(file, PlainFile.MOST_CONFIGURATION)));
        }
      }
    }
    return new Revision(number(newest), Instant.now(), "", "", List.of(), texts);
  }

  /** The newest last. */
  private List<Path> kept() throws IOException {
    var found = new ArrayList<Path>();
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(directory, REVISION + "[0-9]*")) {
      folders.forEach(found::add);
    } catch (NoSuchFileException nothing) {
      return List.of();
    }
    found.sort(Comparator.comparingLong(LastGood::number));
    return found;
  }

  private static long number(Path folder) {
    return Long.parseLong(String.valueOf(folder.getFileName()).substring(REVISION.length()));
  }

  private static void createOwn(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectory(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> inside = Files.list(folder)) {
      for (Path file : inside.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
