package io.anabranch.app.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: what shells complete commands and options by. */
@Command(
    name = "completion",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Prints what bash and zsh complete commands and options by: source <(bin/anabranch completion)"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    CommandSpec own = Objects.requireNonNull(spec, "not parsed");
    Output.of(own).print(AutoComplete.bash("anabranch", own.root().commandLine()));
    Output.of(own).flush();
    return 0;
  }
}
