package io.anabranch.app.live;

import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the configuration's files from time to time, and has them put in force when they have
 * changed. Who writes several files, or a large one, is not interrupted: a change is taken when the
 * next look finds the files as the look before left them. What is refused is told once, and tried
 * again when a file has changed again.
 *
 * <p>{@link #look} is for one thread; {@link #start} makes one.
 */
public final class ConfigurationWatch implements AutoCloseable {

  /** The author in the history. */
  public static final String AUTHOR = "watch";

  private static final Logger log = LoggerFactory.getLogger(ConfigurationWatch.class);
  private static final long SECOND_MILLISECONDS = 1000;

  private final LongSupplier seconds;
  private final Supplier<FilesSeen> files;
  private final Supplier<List<String>> follow;
  private final Thread thread;

  /** What was put in force, or refused; null: nothing was looked at yet. */
  private @Nullable FilesSeen settled;

  /** What the last look has found instead; null: it found nothing new. */
  private @Nullable FilesSeen changing;

  /**
   * @param directory of the configuration
   * @param live puts it in force
   * @param seconds between looks, asked for again and again; 0: none
   */
  public ConfigurationWatch(Path directory, LiveConfiguration live, LongSupplier seconds) {
    this(seconds, () -> FilesSeen.in(directory), () -> live.follow(AUTHOR));
  }

  /**
   * @param follow puts in force what the files say, and tells what has changed
   */
  ConfigurationWatch(
      LongSupplier seconds, Supplier<FilesSeen> files, Supplier<List<String>> follow) {
    this.seconds = seconds;
    this.files = files;
    this.follow = follow;
    this.thread = Thread.ofPlatform().daemon().name("configuration-watch").unstarted(this::run);
  }

  /** Begins to look. */
  public void start() {
    thread.start();
  }

  private void run() {
    long passed = 0;
    try {
      while (true) {
        // not the whole pause at once: it may be made shorter meanwhile
        Thread.sleep(SECOND_MILLISECONDS);
        long pause = seconds.getAsLong();
        passed++;
        if (pause <= 0) {
          forget();
          passed = 0;
        } else if (passed >= pause) {
          lookOn();
          passed = 0;
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nobody looks any more: what happens meanwhile counts as a change later. */
  private void forget() {
    settled = null;
    changing = null;
  }

  /** Whatever a look ends with, there is a next one. */
  private void lookOn() {
    try {
      look();
    } catch (RuntimeException | StackOverflowError failed) {
      log.error("the files of the configuration cannot be looked at, and will be again", failed);
    }
  }

  /** Compares the files with what was found before, and acts. */
  void look() {
    FilesSeen seen = files.get();
    if (seen.equals(settled)) {
      changing = null;
    } else if (seen.equals(changing)) {
      settled = seen;
      changing = null;
      act();
    } else {
      changing = seen;
    }
  }

  private void act() {
    try {
      // what changes is logged by who puts it in force
      List<String> changes = follow.get();
      if (changes.isEmpty()) {
        log.debug("the files of the configuration say what is in force");
      }
    } catch (ConfigurationRefusedException refused) {
      log.error(
          "the files of the configuration have changed, and it stays as it is:\n{}",
          refused.getMessage());
    } catch (RuntimeException failed) {
      log.error("the files of the configuration have changed, and cannot be put in force", failed);
    }
  }

  /** Looks no more. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
