package io.anabranch.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Data directories: one template of each kind of server, copied for each node. */
final class DataDirectory {

  /** Fills a directory with what a server needs to start. */
  interface Installer {
    void install(Path data, Path log) throws IOException;
  }

  private DataDirectory() {}

  /** That of MariaDB, made by {@code mariadb-install-db}. */
  static Path template(MariaDbBinaries binaries, Path root) {
    String name = "template-" + Integer.toHexString(binaries.server().hashCode());
    return template(root, name, (data, log) -> install(binaries, data, log));
  }

  /** Makes the template unless it is there; safe between processes. */
  static synchronized Path template(Path root, String name, Installer installer) {
    Path template = root.resolve(name);
    try {
      Files.createDirectories(root);
      try (var lock =
              FileChannel.open(
                  root.resolve(name + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          var held = lock.lock()) {
        if (held.isValid() && !Files.isDirectory(template)) {
          // who installed for a process that was killed may go on writing
          Path unfinished = root.resolve(name + "-unfinished-" + ProcessHandle.current().pid());
          delete(unfinished);
          installer.install(unfinished, root.resolve(name + ".log"));
          Files.move(unfinished, template, StandardCopyOption.ATOMIC_MOVE);
        }
      }
      return template;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void install(MariaDbBinaries binaries, Path data, Path log) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                binaries.install().toString(),
                "--no-defaults",
                "--datadir=./" + data.getFileName(),
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--innodb-log-file-size=8M"));
    binaries.base().ifPresent(base -> command.add("--basedir=" + base));
    if (isRoot()) {
      command.add("--user=root");
    }
    // From within, by a relative name: the script does not take blanks in a path.
    ProcessBuilder installer =
        new ProcessBuilder(command)
            .directory(log.resolveSibling(".").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    ownTemporaryFiles(installer, log.resolveSibling("template-tmp"));
    Process process = installer.start();
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException("mariadb-install-db failed:\n" + Files.readString(log));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while mariadb-install-db ran", e);
    }
  }

  /** A server that starts removes the temporary tables of all that share their place with it. */
  static void ownTemporaryFiles(ProcessBuilder server, Path directory) throws IOException {
    Files.createDirectories(directory);
    server.environment().put("TMPDIR", directory.toString());
  }

  /** Replaces {@code target} by a copy of {@code source}. */
  static void copy(Path source, Path target) {
    delete(target);
    try (Stream<Path> entries = Files.walk(source)) {
      Files.createDirectories(target);
      for (Path entry : (Iterable<Path>) entries.skip(1)::iterator) {
        Files.copy(entry, target.resolve(source.relativize(entry).toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a tree if it is there. */
  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> entries = Files.walk(directory)) {
      for (Path entry : (Iterable<Path>) entries.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** {@code mariadbd} refuses to run as root unless told to. */
  static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }
}
