package io.anabranch.frontend.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import io.anabranch.rules.algorithm.standard.AlgorithmCatalogue;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.testkit.FuzzInput;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Any text is a configuration or has problems, each at a place of its file; and takes memory as
 * texts of its length do.
 */
public final class ConfigurationTarget {

  private static final String USERS = "authority: { users: [{ user: root, password: root }] }";
  private static final String DATABASE = "databaseName: x\ndataSources: {}\n";

  /** What texts of files take that people write, twice over. */
  private static final long BYTES_OF_BYTE = 20_000;

  private static final long FEW_BYTES = 64L << 20;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private ConfigurationTarget() {}

  /**
   * Called by the fuzzer.
   *
   * @param data the first byte chooses the file, the others are its text
   */
  public static void fuzzerTestOneInput(byte[] data) {
    var input = new FuzzInput(data);
    boolean isGlobal = input.flag();
    String text = new String(input.rest(), UTF_8);
    var loader = new ConfigurationLoader(new AlgorithmCatalogue(List.of()));
    var files =
        List.of(
            new ConfigurationText("global.yaml", isGlobal ? text : USERS),
            new ConfigurationText("database-x.yaml", isGlobal ? DATABASE : text));
    long most = FEW_BYTES + BYTES_OF_BYTE * data.length;
    long taken = taken(loader, files);
    if (taken > most) {
      // the first time classes may be loaded, and changed for the fuzzer
      taken = taken(loader, files);
    }
    if (taken > most) {
      throw new IllegalStateException("more than " + most + " bytes for " + data.length);
    }
  }

  private static long taken(ConfigurationLoader loader, List<ConfigurationText> files) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      loader.load(files);
    } catch (ConfigurationException refused) {
      check(refused.problems(), files);
    }
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static void check(List<Problem> problems, List<ConfigurationText> files) {
    if (problems.isEmpty()) {
      throw new IllegalStateException("refused without a problem");
    }
    for (Problem problem : problems) {
      String text =
          files.stream()
              .filter(file -> file.fileName().equals(problem.file()))
              .map(ConfigurationText::content)
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no file: " + problem));
      if (problem.line() < 1 || problem.column() < 1 || problem.reason().isEmpty()) {
        throw new IllegalStateException("nowhere: " + problem);
      }
      if (problem.line() > text.length() + 1) {
        throw new IllegalStateException("behind the text: " + problem);
      }
    }
  }
}
