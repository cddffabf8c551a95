package io.anabranch.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The programs of an installed MariaDB server.
 *
 * @param server {@code mariadbd}
 * @param install {@code mariadb-install-db}
 * @param base the directory for {@code --basedir}; empty for a server of the operating system
 */
record MariaDbBinaries(Path server, Path install, Optional<Path> base) {

  /**
   * Looks at the system property {@code mariadbd}, the PATH, the usual places, and what the Maven
   * profile {@code mariadb-binaries} unpacked.
   *
   * @throws IllegalStateException if there is none; tests must fail then, not skip
   */
  static MariaDbBinaries find() {
    return search()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no MariaDB server found: neither -Dmariadbd=PATH, nor mariadbd on the PATH,"
                        + " nor one in "
                        + published()
                        + ". Install it (Debian: apt-get install mariadb-server) or fetch the"
                        + " published binaries with: mvn -N -Pmariadb-binaries validate"));
  }

  /** The same; empty if there is none. */
  static Optional<MariaDbBinaries> search() {
    var directories = new ArrayList<Path>();
    String named = System.getProperty("mariadbd", "");
    if (!named.isEmpty()) {
      return Optional.of(
          installed(Path.of(named))
              .orElseThrow(
                  () -> new IllegalStateException("-Dmariadbd=" + named + " is no server")));
    }
    for (String entry : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      directories.add(Path.of(entry));
    }
    for (String usual :
        List.of("/usr/sbin", "/usr/libexec", "/usr/local/bin", "/opt/homebrew/bin")) {
      directories.add(Path.of(usual));
    }
    for (Path directory : directories) {
      Optional<MariaDbBinaries> found = installed(directory.resolve("mariadbd"));
      if (found.isPresent()) {
        return found;
      }
    }
    return unpacked(published());
  }

  private static Path published() {
    return Path.of(System.getProperty("mariadb.unpacked", "../target/mariadb-binaries"));
  }

  private static Optional<MariaDbBinaries> installed(Path server) {
    if (!Files.isExecutable(server)) {
      return Optional.empty();
    }
    Path bin = server.toAbsolutePath().resolveSibling("");
    for (String place : List.of("mariadb-install-db", "../bin/mariadb-install-db")) {
      Path install = bin.resolve(place).normalize();
      if (Files.isExecutable(install)) {
        return Optional.of(new MariaDbBinaries(server, install, Optional.empty()));
      }
    }
    return unpackedBase(bin.resolve(".."));
  }

  /** The published jar holds {@code …/mariadb-VERSION/linux/{bin,scripts,share}}. */
  private static Optional<MariaDbBinaries> unpacked(Path root) {
    if (!Files.isDirectory(root)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.endsWith("bin/mariadbd"))
          .findFirst()
          .flatMap(file -> unpackedBase(file.resolve("../..")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Optional<MariaDbBinaries> unpackedBase(Path base) {
    Path home = base.toAbsolutePath().normalize();
    Path server = home.resolve("bin/mariadbd");
    Path install = home.resolve("scripts/mariadb-install-db");
    if (!Files.isRegularFile(server) || !Files.isRegularFile(install)) {
      return Optional.empty();
    }
    // A jar keeps no permissions.
    try (Stream<Path> programs = Files.list(home.resolve("bin"))) {
      programs.forEach(MariaDbBinaries::makeExecutable);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    makeExecutable(install);
    return Optional.of(new MariaDbBinaries(server, install, Optional.of(home)));
  }

  private static void makeExecutable(Path program) {
    if (!Files.isExecutable(program) && !program.toFile().setExecutable(true)) {
      throw new IllegalStateException("cannot make executable: " + program);
    }
  }
}
