package io.anabranch.backend.execute.rows;

import io.anabranch.backend.memory.StatementMemory;
import io.anabranch.rules.error.ErrorCatalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statements that wait until all rows have been read: the first megabytes in memory, the rest in a
 * temporary file that goes with this object. Filled by one thread, then read by several.
 */
public final class RowSpool implements AutoCloseable {

  private static final int ENTRY_BYTES = 40;
  private static final long MOST_BYTES_IN_MEMORY = 8L << 20;

  /**
   * @param bytes null for what is in the file
   */
  private record Entry(byte @Nullable [] bytes, long offset, int length) {}

  private final List<Entry> entries = new ArrayList<>();
  private long inMemory;
  private long inFile;
  private @Nullable FileChannel file;

  private final StatementMemory memory;

  /**
   * @param memory of the statement, which counts what is not in the file
   */
  public RowSpool(StatementMemory memory) {
    this.memory = memory;
  }

  /** Keeps the bytes and tells the number by which {@link #get} gives them back. */
  int add(byte[] bytes) {
    memory.hold(ENTRY_BYTES);
    if (inMemory + bytes.length <= MOST_BYTES_IN_MEMORY && memory.tryHold(bytes.length)) {
      inMemory += bytes.length;
      entries.add(new Entry(bytes, 0, bytes.length));
    } else {
      entries.add(new Entry(null, inFile, bytes.length));
      append(bytes);
    }
    return entries.size() - 1;
  }

  /**
   * For statements that are not at their end; false if there is no room for so much more of them.
   */
  boolean tryHold(long bytes) {
    return memory.tryHold(bytes);
  }

  /**
   * For what must be known of all rows.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void hold(long bytes) {
    memory.hold(bytes);
  }

  void letGo(long bytes) {
    memory.letGo(bytes);
  }

  private void append(byte[] bytes) {
    try {
      FileChannel channel = file;
      if (channel == null) {
        channel =
            FileChannel.open(
                Files.createTempFile("anabranch-", ".rows"),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        file = channel;
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        inFile += channel.write(buffer, inFile);
      }
    } catch (IOException e) {
      throw ErrorCatalogue.NO_TEMPORARY_SPACE.refuse(String.valueOf(e.getMessage()));
    }
  }

  byte[] get(int number) {
    Entry entry = entries.get(number);
    if (entry.bytes() != null) {
      return entry.bytes();
    }
    FileChannel channel = file;
    if (channel == null) {
      throw new IllegalStateException("no file for entry " + number);
    }
    try {
      ByteBuffer buffer = ByteBuffer.allocate(entry.length());
      while (buffer.hasRemaining()
          && channel.read(buffer, entry.offset() + buffer.position()) >= 0) {
        // goes on where the last read ended
      }
      return buffer.array();
    } catch (IOException e) {
      throw new UncheckedIOException("rows cannot be read back", e);
    }
  }

  @Override
  public void close() {
    memory.letGo(inMemory + (long) ENTRY_BYTES * entries.size());
    inMemory = 0;
    entries.clear();
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the file of rows cannot be closed", e);
    }
  }
}
