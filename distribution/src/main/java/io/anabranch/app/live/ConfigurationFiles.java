package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that the configuration was read from, and how another text gets into them: it is
 * written beside the file, forced to the disk, then takes the file's name. Whatever ends the
 * process in the middle, the file is the former one or the new one. Not thread-safe.
 */
final class ConfigurationFiles {

  private static final Set<PosixFilePermission> OWNER =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path directory;

  /** By name: what the files said when they were last read or written. */
  private final Map<String, String> known = new HashMap<>();

  ConfigurationFiles(Path directory) {
    this.directory = directory;
  }

  /** They were all read. */
  void read(List<ConfigurationText> texts) {
    known.clear();
    texts.forEach(text -> known.put(text.fileName(), text.content()));
  }

  /**
   * Writes the files whose text is another; none, if one of them cannot be.
   *
   * @return their names
   * @throws ConfigurationRefusedException with all problems
   */
  List<String> save(List<ConfigurationText> texts) {
    List<ConfigurationText> wanted =
        texts.stream().filter(text -> !text.content().equals(known.get(text.fileName()))).toList();
    var problems = new ArrayList<String>();
    known.keySet().stream()
        .filter(name -> texts.stream().noneMatch(text -> text.fileName().equals(name)))
        .sorted()
        .forEach(name -> problems.add(name + " is not in force: move it away first"));
    try {
      for (ConfigurationText text : wanted) {
        String there = content(directory.resolve(text.fileName()));
        boolean isDone = text.content().equals(there);
        if (!isDone && !Objects.equals(there, known.get(text.fileName()))) {
          problems.add(
              text.fileName()
                  + " has been changed since it was read; SHOW CONFIGURATION DIFF says what differs."
                  + " Put in the file what shall stay, then RELOAD CONFIGURATION");
        }
      }
      if (!problems.isEmpty()) {
        throw new ConfigurationRefusedException(problems);
      }
      for (ConfigurationText text : wanted) {
        write(directory.resolve(text.fileName()), text.content());
        known.put(text.fileName(), text.content());
      }
    } catch (IOException e) {
      throw new ConfigurationRefusedException(List.of("a file cannot be written: " + e));
    }
    return wanted.stream().map(ConfigurationText::fileName).toList();
  }

  private static @Nullable String content(Path file) throws IOException {
    return Files.exists(file) ? Files.readString(file) : null;
  }

  /** A link stays one: what it leads to is written. */
  private static void write(Path named, String content) throws IOException {
    Path file = Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
    Path beside = file.resolveSibling("." + file.getFileName() + ".saving");
    Files.deleteIfExists(beside);
    Files.createFile(beside);
    allow(beside, OWNER);
    try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    if (Files.exists(file)) {
      PosixFileAttributeView former =
          Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (former != null) {
        allow(beside, former.readAttributes().permissions());
      }
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  private static void allow(Path file, Set<PosixFilePermission> permissions) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(permissions);
    }
  }
}
