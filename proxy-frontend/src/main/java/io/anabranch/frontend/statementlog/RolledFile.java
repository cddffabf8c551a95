package io.anabranch.frontend.statementlog;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Lines in a file; when it is full it becomes {@code file.1}, that one {@code file.2}, and the last
 * goes. So all of them take no more than a limit. Used by one thread.
 */
final class RolledFile implements AutoCloseable {

  private final Path file;
  private final long mostBytes;
  private final int files;
  private @Nullable OutputStream out;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private long size;

  /**
   * @param mostBytes of one file; a line that is longer has one of its own
   * @param files that are kept, the one that is written among them; 1 or more
   */
  RolledFile(Path file, long mostBytes, int files) {
    this.file = file;
    this.mostBytes = mostBytes;
    this.files = files;
  }

  /**
   * Appends a line, which is in the file after {@link #flush}. After a failure the lines that were
   * not are gone, and the next one tries again, with the file opened anew.
   *
   * @throws IOException if it may not be there
   */
  void append(String line) throws IOException {
    byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      opened();
      if (size + waiting.size() > 0 && size + waiting.size() + bytes.length > mostBytes) {
        flush();
        close();
        roll();
        opened();
      }
      waiting.writeBytes(bytes);
    } catch (IOException failure) {
      fail();
      throw failure;
    }
  }

  /** Bytes of lines that are not in the file yet. */
  int waiting() {
    return waiting.size();
  }

  /**
   * Writes what waits.
   *
   * @throws IOException if it may not be there
   */
  void flush() throws IOException {
    if (waiting.size() == 0) {
      return;
    }
    try {
      waiting.writeTo(opened());
      size += waiting.size();
      waiting.reset();
    } catch (IOException failure) {
      fail();
      throw failure;
    }
  }

  private void fail() throws IOException {
    waiting.reset();
    close();
  }

  private OutputStream opened() throws IOException {
    OutputStream open = out;
    if (open == null) {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      open = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      out = open;
      size = Files.size(file);
    }
    return open;
  }

  private void roll() throws IOException {
    for (int number = files - 1; number > 0; number--) {
      Path from = number == 1 ? file : numbered(number - 1);
      if (Files.exists(from)) {
        Files.move(from, numbered(number), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    if (files == 1) {
      Files.deleteIfExists(file);
    }
  }

  private Path numbered(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  /** Without what waits. */
  @Override
  public void close() throws IOException {
    OutputStream open = out;
    out = null;
    if (open != null) {
      open.close();
    }
  }
}
