package io.anabranch.frontend.configuration;

import io.anabranch.rules.config.Configuration;
import java.time.Instant;
import java.util.List;

/**
 * Changes the configuration while the proxy runs. Thread-safe; every method reads files or talks to
 * databases and blocks.
 */
public interface ConfigurationControl {

  /** Of a proxy whose configuration does not change. */
  ConfigurationControl NONE = new FixedConfiguration();

  /**
   * Reads the files, and if they are in order and databases that are new or changed can be reached,
   * puts them in force.
   *
   * @param author who wants it, for the history
   * @return what has changed, a line each; empty if nothing has
   * @throws ConfigurationRefusedException with everything that is wrong: nothing has changed then
   */
  List<String> reload(String author);

  /**
   * What {@link #reload} would change.
   *
   * @throws ConfigurationRefusedException with everything that is wrong
   */
  List<String> difference();

  /**
   * What is in force.
   *
   * @throws ConfigurationRefusedException if it is in no files
   */
  Configuration current();

  /** What was in force and since when; the latest first. */
  List<Version> history();

  /**
   * Puts in force what was before. The files stay as they are: the next {@link #reload} reads them.
   *
   * @param author who wants it
   * @return what has changed, a line each
   * @throws ConfigurationRefusedException if there is nothing before, or it is not in order any
   *     more
   */
  List<String> rollback(String author);

  /**
   * A configuration that was or is in force.
   *
   * @param number from 1, the start's
   * @param since when it came in force
   * @param author who wanted it
   * @param changes to the one before, a line each; without passwords
   */
  record Version(long number, Instant since, String author, List<String> changes) {

    public Version {
      changes = List.copyOf(changes);
    }
  }
}
