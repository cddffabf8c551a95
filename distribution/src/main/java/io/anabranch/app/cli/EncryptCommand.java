package io.anabranch.app.cli;

import io.anabranch.app.encrypt.ColumnEncryption;
import io.anabranch.app.encrypt.ColumnEncryption.Writing;
import io.anabranch.app.encrypt.EncryptionFailure;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code encrypt}: stores what a rule says for plain values that are there already. */
@Command(
    name = "encrypt",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Stores what a rule !ENCRYPT says of a column for the plain values that its table has, on all data",
      "sources, then compares. What is stored already stays, whatever the plain column says: whatever ends",
      "it, it may be run again. Plain values stay where they are. Exit code 1: rows differ."
    })
final class EncryptCommand implements Callable<Integer> {

  private static final int MOST_ROWS = 100_000;

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"-c", "--conf"},
      paramLabel = "CONF",
      description = "directory of the configuration with the rule (conf/ beside bin/)")
  private @Nullable Path directory;

  @Option(
      names = {"-D", "--database"},
      paramLabel = "NAME",
      required = true,
      description = "logical database")
  private String database = "";

  @Option(
      names = {"-t", "--table"},
      paramLabel = "TABLE",
      required = true,
      description = "logical table")
  private String table = "";

  @Option(
      names = "--column",
      paramLabel = "COLUMN",
      required = true,
      description = "the column as the rule and clients call it")
  private String column = "";

  @Option(
      names = "--from",
      paramLabel = "COLUMN",
      description = "the column with plain values (the same name)")
  private @Nullable String from;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "500",
      description = "rows of a transaction (${DEFAULT-VALUE})")
  private int rows;

  @Option(names = "--compare", description = "write nothing, compare alone")
  private boolean compares;

  @Option(
      names = "--overwrite",
      description =
          "replace values that are stored already by what has changed in the plain column: never once"
              + " the rule is in force")
  private boolean overwrites;

  EncryptCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    RuleSet rules = Configurations.load(surroundings.configuration(directory)).ruleSet();
    LogicalDatabase chosen = Configurations.database(rules, database);
    if (rows < 1 || rows > MOST_ROWS) {
      throw new CommandFailure(2, "--rows takes 1 to " + MOST_ROWS);
    }
    if (compares && overwrites) {
      throw new CommandFailure(2, "--compare writes nothing: leave it out, or --overwrite");
    }
    Writing writes = compares ? Writing.NOTHING : overwrites ? Writing.ALL : Writing.MISSING;
    PrintWriter out = Output.of(spec);
    try {
      ColumnEncryption.Outcome outcome =
          new ColumnEncryption(chosen, table, column, from == null ? column : from, rows)
              .run(writes, out::println);
      out.printf(
          "%s.%s: %d rows, %d written, %d differ%n",
          table, column, outcome.rows(), outcome.written(), outcome.differing());
      if (outcome.differing() > 0) {
        throw new CommandFailure(Anabranch.FAILED, wayOut(writes));
      }
      return 0;
    } catch (EncryptionFailure failure) {
      throw new CommandFailure(Anabranch.FAILED, String.valueOf(failure.getMessage()));
    }
  }

  private static String wayOut(Writing writes) {
    return switch (writes) {
      case NOTHING -> "run it without --compare";
      case MISSING ->
          "other values are stored there: before the rule is in force, --overwrite replaces them by the plain ones";
      case ALL -> "others write meanwhile: run it again, at last while nobody does";
    };
  }
}
