package io.anabranch.app.cli;

import io.anabranch.app.check.CheckedServers;
import io.anabranch.app.check.DryRun.Findings;
import io.anabranch.app.check.StartChecks;
import io.anabranch.rules.config.Configuration;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check}: says everything that a start or a reload would say of a directory. */
@Command(
    name = "check",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Validates a configuration as the start does, and says every problem at once.",
      "Nothing is opened or changed; with 0 as exit code it would start."
    })
final class CheckCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONF",
      description = "directory of the configuration (conf/ beside bin/)")
  private @Nullable Path directory;

  @Option(
      names = {"-a", "--address"},
      paramLabel = "ADDRESS",
      description = "address that the proxy shall listen on (127.0.0.1)")
  private String address = "127.0.0.1";

  @Option(
      names = "--connect",
      description = {
        "also log in to the databases, and compare the tables that rules name with those there;",
        "exit code 1 if they do not fit"
      })
  private boolean connects;

  @Option(
      names = {"-q", "--quiet"},
      description = "problems only, no notices")
  private boolean isQuiet;

  CheckCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    Path chosen = surroundings.configuration(directory);
    Configuration configuration = Configurations.load(chosen);
    List<String> problems;
    try {
      problems =
          StartChecks.problems(configuration.ruleSet(), InetAddress.getByName(address), chosen);
    } catch (UnknownHostException e) {
      throw new CommandFailure(Anabranch.FAILED, "-a " + address + ": no such address");
    }
    if (!problems.isEmpty()) {
      throw new CommandFailure(Anabranch.CONFIGURATION, problems);
    }
    PrintWriter out = Output.of(spec);
    if (connects) {
      Findings findings = CheckedServers.look(configuration);
      if (!isQuiet) {
        findings.notices().forEach(notice -> out.println("notice: " + notice));
      }
      if (!findings.problems().isEmpty()) {
        throw new CommandFailure(Anabranch.FAILED, findings.problems());
      }
    }
    if (!isQuiet) {
      Configurations.told(chosen, configuration.notices())
          .forEach(notice -> out.println("notice: " + notice));
      int databases = configuration.ruleSet().databases().size();
      out.printf(
          "%s is in order: %d database%s, %d user%s%n",
          chosen,
          databases,
          databases == 1 ? "" : "s",
          configuration.ruleSet().authority().users().size(),
          configuration.ruleSet().authority().users().size() == 1 ? "" : "s");
    }
    return 0;
  }
}
