package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.file.PlainFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  private static final String ASIDE = ".dropped";

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

  /** Whether these are what was last read or written. */
  boolean hold(List<ConfigurationText> texts) {
    return texts.size() == known.size()
        && texts.stream().allMatch(text -> text.content().equals(known.get(text.fileName())));
  }

  /**
   * Writes the files whose text is another, and puts those aside, under another name, whose
   * database is not in force any more; none, if one of them cannot be.
   *
   * @return the names of those that are written, or have another name now
   * @throws ConfigurationRefusedException with all problems
   */
  List<String> save(List<ConfigurationText> texts) {
    List<ConfigurationText> wanted =
        texts.stream().filter(text -> !text.content().equals(known.get(text.fileName()))).toList();
    var problems = new ArrayList<String>();
    List<String> gone =
        known.keySet().stream()
            .filter(name -> texts.stream().noneMatch(text -> text.fileName().equals(name)))
            .sorted()
            .toList();
    var saved = new ArrayList<>(wanted.stream().map(ConfigurationText::fileName).toList());
    try {
      for (ConfigurationText text : wanted) {
        String there = content(directory.resolve(text.fileName()));
        boolean isDone = text.content().equals(there);
        if (!isDone && !Objects.equals(there, known.get(text.fileName()))) {
          problems.add(changed(text.fileName()));
        }
      }
      for (String name : gone) {
        String there = content(directory.resolve(name));
        if (there != null && !there.equals(known.get(name))) {
          problems.add(changed(name));
        }
      }
      if (!problems.isEmpty()) {
        throw new ConfigurationRefusedException(problems);
      }
      replace(wanted);
      for (String name : gone) {
        saved.add(putAside(name));
      }
    } catch (IOException e) {
      throw new ConfigurationRefusedException(List.of("a file cannot be written: " + reason(e)));
    }
    return saved;
  }

  private static String changed(String name) {
    return name
        + " has been changed since it was read; SHOW CONFIGURATION DIFF says what differs."
        + " Put in the file what shall stay, then RELOAD CONFIGURATION";
  }

  /** Nobody reads it under its new name; the last one that was put aside gives way. */
  private String putAside(String name) throws IOException {
    Path file = directory.resolve(name);
    Path aside = directory.resolve(name + ASIDE);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      force(directory);
    }
    known.remove(name);
    return String.valueOf(aside.getFileName());
  }

  private static String reason(IOException failure) {
    // a path alone says nothing; what was thrown here is a sentence
    return failure.getCause() == null ? failure.toString() : String.valueOf(failure.getMessage());
  }

  private static @Nullable String content(Path file) throws IOException {
    return Files.exists(file) ? PlainFile.text(file, PlainFile.MOST_CONFIGURATION) : null;
  }

  /** All are written beside their files before the first takes its file's place. */
  private void replace(List<ConfigurationText> wanted) throws IOException {
    var beside = new LinkedHashMap<ConfigurationText, Path>();
    try {
      for (ConfigurationText text : wanted) {
        Path file = file(text);
        Path made = file.resolveSibling("." + file.getFileName() + ".saving");
        beside.put(text, made);
        write(made, text.content());
        if (Files.exists(file)) {
          keepAttributes(file, made);
        }
      }
      for (Map.Entry<ConfigurationText, Path> each : beside.entrySet()) {
        Path file = file(each.getKey());
        Files.move(
            each.getValue(),
            file,
            StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
        known.put(each.getKey().fileName(), each.getKey().content());
        force(file.resolveSibling("."));
      }
    } finally {
      for (Path left : beside.values()) {
        Files.deleteIfExists(left);
      }
    }
  }

  /** A link stays one: what it leads to is written. */
  private Path file(ConfigurationText text) throws IOException {
    Path named = directory.resolve(text.fileName());
    return Files.exists(named) ? named.toRealPath() : named.toAbsolutePath();
  }

  private static void write(Path beside, String content) throws IOException {
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
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Owner, group and permissions; who could read the file can read the other. */
  private static void keepAttributes(Path file, Path beside) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
    PosixFileAttributeView ofFile = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null || ofFile == null) {
      return;
    }
    PosixFileAttributes former = ofFile.readAttributes();
    PosixFileAttributes made = view.readAttributes();
    try {
      if (!made.group().equals(former.group())) {
        view.setGroup(former.group());
      }
      if (!made.owner().equals(former.owner())) {
        view.setOwner(former.owner());
      }
    } catch (IOException notAllowed) {
      throw new IOException(
          file.getFileName()
              + " belongs to "
              + former.owner().getName()
              + ":"
              + former.group().getName()
              + ", and the proxy may not give a file to them; chown it to "
              + made.owner().getName()
              + ":"
              + made.group().getName()
              + ", or write it by hand: EXPORT DATABASE CONFIGURATION says what is in force",
          notAllowed);
    }
    view.setPermissions(former.permissions());
  }

  private static void allow(Path file, Set<PosixFilePermission> permissions) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view != null) {
      view.setPermissions(permissions);
    }
  }
}
