package io.anabranch.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Stops a process where it stands and lets it go on (SIGSTOP, SIGCONT). */
final class Suspension {

  private static final long LONGEST = TimeUnit.SECONDS.toNanos(30);
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(1);

  private static final char ENDED = '-';

  private Suspension() {}

  /**
   * Returns when none of the process's threads runs any more: the signal is only under way when
   * {@code kill} ends, and a thread that wakes before it arrives would still answer.
   */
  static void stop(Process process) {
    signal(process, "STOP");
    long since = System.nanoTime();
    while (!stands(process)) {
      if (System.nanoTime() - since > LONGEST) {
        throw new IllegalStateException("process " + process.pid() + " does not stop");
      }
      LockSupport.parkNanos(BETWEEN_LOOKS);
    }
  }

  static void goOn(Process process) {
    signal(process, "CONT");
  }

  private static boolean stands(Process process) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      List<Path> all = threads.toList();
      return all.stream().allMatch(thread -> state(thread) == 'T');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static char state(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException ended) {
      return ENDED; // not among the process's threads at the next look
    }
  }

  private static void signal(Process process, String name) {
    try {
      int outcome =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      if (outcome != 0) {
        throw new IllegalStateException("kill -" + name + " " + process.pid() + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
