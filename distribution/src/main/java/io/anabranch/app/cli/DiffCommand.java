package io.anabranch.app.cli;

import io.anabranch.rules.config.Configuration;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code diff}: what a reload would change, or what two directories say otherwise. */
@Command(
    name = "diff",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "What a reload would change in the running proxy, in words and without passwords.",
      "With two directories: what the second one says otherwise; no proxy is asked."
    })
final class DiffCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

  @Parameters(arity = "0..2", paramLabel = "OLD NEW", description = "directories to compare")
  private List<Path> directories = List.of();

  @Option(names = "--exit-code", description = "exit with 1 if anything would change")
  private boolean tellsByExitCode;

  DiffCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    List<String> changes =
        switch (directories.size()) {
          case 0 -> ofRunning();
          case 2 -> between(directories.getFirst(), directories.getLast());
          default -> throw new CommandFailure(2, "diff takes no directory, or two");
        };
    PrintWriter out = Output.of(spec);
    if (changes.isEmpty()) {
      out.println("nothing changes");
    }
    changes.forEach(out::println);
    return tellsByExitCode && !changes.isEmpty() ? Anabranch.FAILED : 0;
  }

  private List<String> ofRunning() {
    return ReloadCommand.changes(proxy.client(surroundings).get("/configuration/reload"));
  }

  private static List<String> between(Path old, Path next) {
    Configuration before = Configurations.load(old);
    return before.outlines().changesTo(Configurations.load(next).outlines());
  }
}
