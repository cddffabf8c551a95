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
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the last configuration that this proxy has worked with, on its own disk: what it starts
 * with when the registry does not answer, and what tells it that the registry has lost something.
 * Readable for the owner alone, as the files hold passwords. A folder named by the revision is
 * filled under another name and then renamed, so that it is whole or not there. Thread-safe.
 */
final class LastGood {

  private static final Logger log = LoggerFactory.getLogger(LastGood.class);
  private static final String FOLDER = ".cluster";
  private static final String REVISION = "revision-";
  private static final String UNFINISHED = ".unfinished";

  /** Of which cluster it is, when it was published and by whom, a line each. */
  private static final String ORIGIN = "origin";

  private final List<Path> places;
  private final String cluster;

  /**
   * @param places folders, of which the first that takes a copy has it: one may be read-only
   * @param cluster copies of another one count for nothing
   */
  LastGood(List<Path> places, String cluster) {
    this.places = places.stream().map(place -> place.resolve(FOLDER)).toList();
    this.cluster = cluster;
  }

  /** Keeps it instead of the former one. A disk that does not take it is told in the log. */
  synchronized void keep(Revision revision) {
    var failures = new ArrayList<String>();
    for (Path place : places) {
      try {
        Path kept = keep(place, revision);
        for (Path other : kept()) {
          if (!other.equals(kept)) {
            forget(other);
          }
        }
        return;
      } catch (IOException failure) {
        failures.add(failure.toString());
      }
    }
    log.warn(
        "cluster: revision {} is not kept on this disk ({}): without the registry this proxy"
            + " would start with an older one, or not at all",
        revision.number(),
        String.join("; ", failures));
  }

  private Path keep(Path place, Revision revision) throws IOException {
    Path target = place.resolve(REVISION + revision.number());
    Path unfinished = place.resolve(UNFINISHED);
    createOwn(place);
    delete(unfinished);
    createOwn(unfinished);
    for (ConfigurationText text : revision.texts()) {
      Files.writeString(unfinished.resolve(text.fileName()), text.content());
    }
    Files.write(
        unfinished.resolve(ORIGIN),
        List.of(cluster, revision.published().toString(), revision.author()));
    delete(target);
    Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    return target;
  }

  /** A copy in a folder that has become read-only stays, and is older than the one that counts. */
  private static void forget(Path other) {
    try {
      delete(other);
    } catch (IOException left) {
      log.debug("cluster: {} stays: {}", other, left.toString());
    }
  }

  /**
   * Null: there is none of this cluster.
   *
   * @throws IOException if it is there and cannot be read
   */
  synchronized @Nullable Revision read() throws IOException {
    Revision newest = null;
    for (Path kept : kept()) {
      Revision revision = read(kept);
      if (revision != null && (newest == null || revision.number() > newest.number())) {
        newest = revision;
      }
    }
    return newest;
  }

  /** Where it is kept; what is in there are the files, as they were. */
  synchronized Path folder(Revision kept) {
    return places.stream()
        .map(place -> place.resolve(REVISION + kept.number()))
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(places.getFirst());
  }

  /** Null: it is another cluster's. */
  private @Nullable Revision read(Path kept) throws IOException {
    List<String> origin = origin(kept);
    if (!origin.getFirst().equals(cluster)) {
      log.warn("cluster: {} is of {} and counts for nothing here", kept, origin.getFirst());
      return null;
    }
    var texts = new ArrayList<ConfigurationText>();
    try (Stream<Path> files = Files.list(kept)) {
      for (Path file : files.sorted().toList()) {
        String name = String.valueOf(file.getFileName());
        if (ConfigurationLoader.reads(name)) {
          texts.add(
              new ConfigurationText(name, PlainFile.text(file, PlainFile.MOST_CONFIGURATION)));
        }
      }
    }
    return new Revision(
        number(kept), Instant.parse(origin.get(1)), origin.get(2), "", List.of(), texts);
  }

  /** Older versions wrote none: such a copy is of this cluster, and from when it was written. */
  private List<String> origin(Path kept) throws IOException {
    try {
      List<String> lines = Files.readAllLines(kept.resolve(ORIGIN));
      if (lines.size() == 3) {
        return lines;
      }
      throw new IOException(kept.resolve(ORIGIN) + " does not have three lines");
    } catch (NoSuchFileException older) {
      return List.of(cluster, Files.getLastModifiedTime(kept).toInstant().toString(), "");
    }
  }

  private List<Path> kept() throws IOException {
    var found = new ArrayList<Path>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(place, REVISION + "[0-9]*")) {
          folders.forEach(found::add);
        }
      }
    }
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
