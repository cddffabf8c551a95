package io.anabranch.app.cli;

import io.anabranch.app.convert.Conversion;
import io.anabranch.app.convert.ConversionException;
import io.anabranch.app.convert.MycatConversion;
import io.anabranch.app.convert.ProxySqlConversion;
import io.anabranch.rules.config.Configuration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code convert}: the configuration of another proxy as files of this one. */
@Command(
    name = "convert",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Writes the configuration of another proxy as files of this one, and lists what has no like.",
      "The files are then checked as a start does. Exit code 1 if anything was not converted."
    })
final class ConvertCommand implements Callable<Integer> {

  /** Whose files. */
  enum From {
    /** schema.xml, rule.xml, server.xml of Mycat 1.6 or dble 2. */
    mycat,
    /** Tables of ProxySQL as SQL or as proxysql.cnf. */
    proxysql
  }

  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FROM", description = "${COMPLETION-CANDIDATES}")
  private From from = From.mycat;

  @Parameters(
      index = "1",
      paramLabel = "SOURCE",
      description = {
        "mycat: the directory of schema.xml, rule.xml, server.xml;",
        "proxysql: proxysql.cnf, or a dump of mysql_servers, mysql_users, mysql_query_rules and",
        "mysql_replication_hostgroups as SQL"
      })
  private Path source = Path.of("");

  @Parameters(index = "2", paramLabel = "TARGET", description = "a new or empty directory")
  private Path target = Path.of("");

  @Option(
      names = "--database",
      paramLabel = "NAME",
      description = "proxysql: a schema that clients use, besides the users' default_schema")
  private List<String> databases = List.of();

  @Override
  public Integer call() throws IOException {
    Conversion made = converted();
    if (Files.exists(target) && !isEmpty(target)) {
      throw new CommandFailure(Anabranch.FAILED, target + " is not empty: nothing was written");
    }
    Files.createDirectories(target);
    for (Map.Entry<String, String> file : made.files().entrySet()) {
      Files.writeString(target.resolve(file.getKey()), file.getValue());
    }
    PrintWriter out = Output.of(spec);
    made.leftovers().forEach(each -> out.println("not converted: " + each));
    out.printf(
        "%s: %s; %d not converted%n",
        target, String.join(", ", made.files().keySet()), made.leftovers().size());
    Configuration configuration = Configurations.load(target);
    Configurations.told(target, configuration.notices())
        .forEach(notice -> out.println("notice: " + notice));
    return made.leftovers().isEmpty() ? 0 : Anabranch.FAILED;
  }

  private Conversion converted() {
    try {
      return switch (from) {
        case mycat -> MycatConversion.of(source);
        case proxysql -> ProxySqlConversion.of(source, databases);
      };
    } catch (ConversionException e) {
      throw new CommandFailure(Anabranch.FAILED, String.valueOf(e.getMessage()));
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }
}
