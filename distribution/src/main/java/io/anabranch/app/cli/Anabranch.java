package io.anabranch.app.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind {@code bin/anabranch}. */
@Command(
    name = "anabranch",
    mixinStandardHelpOptions = true,
    versionProvider = VersionCommand.Provider.class,
    description = "Looks at configurations, and works with a running proxy.%n",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExit codes:%n",
    footer = {
      "   0  done",
      "   1  refused or failed; the text says why",
      "   2  wrong arguments",
      "  69  no proxy answers",
      "  78  the configuration has problems",
      "",
      "A command's own options: anabranch COMMAND --help. Starting and stopping: bin/start.sh, bin/stop.sh."
    })
public final class Anabranch implements Runnable {

  static final int FAILED = 1;
  static final int UNREACHABLE = 69;
  static final int CONFIGURATION = 78;

  private static final int WIDTH = 110;

  @Spec private @Nullable CommandSpec spec;

  private Anabranch() {}

  /** Exits with the codes that the help names. */
  public static void main(String[] arguments) {
    Charset charset = Charset.defaultCharset();
    var out = new PrintWriter(System.out, true, charset);
    var err = new PrintWriter(System.err, true, charset);
    System.exit(execute(Surroundings.ofProcess(), out, err, arguments));
  }

  static int execute(
      Surroundings surroundings, PrintWriter out, PrintWriter err, String... arguments) {
    return commands(surroundings).setOut(out).setErr(err).execute(arguments);
  }

  private static CommandLine commands(Surroundings surroundings) {
    var commands = new CommandLine(new Anabranch());
    commands.addSubcommand(new CheckCommand(surroundings));
    commands.addSubcommand(new RouteCommand(surroundings));
    commands.addSubcommand(new DiffCommand(surroundings));
    commands.addSubcommand(new ReloadCommand(surroundings));
    commands.addSubcommand(new StatusCommand(surroundings));
    commands.addSubcommand(new DrainCommand(surroundings));
    commands.addSubcommand(new DrainCommand.End(surroundings));
    commands.addSubcommand(new SqlCommand(surroundings));
    commands.addSubcommand(new EncryptCommand(surroundings));
    commands.addSubcommand(new ConvertCommand());
    commands.addSubcommand(new VersionCommand());
    commands.addSubcommand(new CompletionCommand());
    commands.setUsageHelpWidth(WIDTH);
    commands.setExecutionExceptionHandler((failure, of, _) -> failed(failure, of));
    return commands;
  }

  private static int failed(Exception failure, CommandLine of) throws Exception {
    if (failure instanceof CommandFailure expected) {
      expected.text().lines().forEach(of.getErr()::println);
      return expected.exitCode();
    }
    throw failure;
  }

  /** Without a command there is nothing to do. */
  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "which command?");
    }
  }
}
