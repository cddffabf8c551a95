package io.anabranch.app.live;

import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Saves two texts in turn, without end: to be killed in the middle of it. */
final class SavingProcess {

  /** What it says before the first. */
  static final String BEGINS = "begins";

  private static final int LINES = 20_000;

  private SavingProcess() {}

  static Process launch(Path folder, String name) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            SavingProcess.class.getName(),
            folder.toString(),
            name)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** One of the two. */
  static String text(int which) {
    return ("# version " + which + "\n").repeat(LINES);
  }

  /** Folder and name of a file that holds the first text. */
  public static void main(String[] arguments) {
    var files = new ConfigurationFiles(Path.of(arguments[0]));
    files.read(List.of(new ConfigurationText(arguments[1], text(0))));
    System.out.println(BEGINS);
    for (int i = 1; ; i++) {
      files.save(List.of(new ConfigurationText(arguments[1], text(i % 2))));
    }
  }
}
