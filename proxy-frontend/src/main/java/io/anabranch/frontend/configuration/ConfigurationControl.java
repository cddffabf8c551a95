package io.anabranch.frontend.configuration;

import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.rules.config.AlgorithmKind;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

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
   * Changes what is in force as {@link #reload} would if the files said so. The files stay as they
   * are until {@link #save}.
   *
   * @param edit what is in force to what is wanted
   * @param author who wants it, for the history
   * @return what has changed, a line each; empty if nothing has
   * @throws ConfigurationRefusedException with everything that is wrong: nothing has changed then
   */
  List<String> change(UnaryOperator<ConfigurationDocuments> edit, String author);

  /**
   * Writes what is in force to the files that say something else.
   *
   * @return the names of the files that were written
   * @throws ConfigurationRefusedException if a file has been changed since it was read, or cannot
   *     be written
   */
  List<String> save();

  /**
   * Reads a file of the proxy's machine.
   *
   * @param path a relative one begins in the folder of the configuration
   * @throws ConfigurationRefusedException if it cannot be read, is no plain file, or too large for
   *     a configuration
   */
  ConfigurationText read(String path);

  /**
   * What is in force.
   *
   * @throws ConfigurationRefusedException if it is in no files
   */
  Configuration current();

  /** Types of algorithms that configurations may name. */
  SortedSet<String> types(AlgorithmKind kind);

  /**
   * The proxies that work with it; none for a proxy by itself.
   *
   * @throws ConfigurationRefusedException if they are not known now
   */
  List<ClusterMember> members();

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
