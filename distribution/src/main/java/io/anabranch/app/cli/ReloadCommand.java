package io.anabranch.app.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code reload}: has the running proxy read its files again. */
@Command(
    name = "reload",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Has the running proxy read its configuration again, and says what has changed.",
      "If anything is wrong with it, everything stays as it is (exit code 78)."
    })
final class ReloadCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

  ReloadCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    List<String> changes = changes(proxy.client(surroundings).post("/configuration/reload"));
    PrintWriter out = Output.of(spec);
    if (changes.isEmpty()) {
      out.println("the configuration is as it was");
    }
    changes.forEach(out::println);
    return 0;
  }

  /**
   * What the page for reloads said.
   *
   * @throws CommandFailure with the problems, if there are any
   */
  static List<String> changes(AdminClient.Answer answer) {
    if (answer.isOk()) {
      return answer.lines("changes");
    }
    List<String> problems = answer.lines("problems");
    throw new CommandFailure(
        problems.isEmpty() ? Anabranch.FAILED : Anabranch.CONFIGURATION,
        problems.isEmpty() ? List.of(answer.body().toString()) : problems);
  }
}
