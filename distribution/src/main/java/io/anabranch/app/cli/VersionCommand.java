package io.anabranch.app.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code version}. */
@Command(
    name = "version",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = "The version of this installation, and its Java.")
final class VersionCommand implements Callable<Integer> {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Output.of(spec).println(version());
    return 0;
  }

  private static String version() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return "anabranch %s (Java %s, %s)"
        .formatted(
            version == null ? "development" : version,
            Runtime.version(),
            System.getProperty("java.vendor"));
  }

  /** The same behind {@code --version}. */
  static final class Provider implements IVersionProvider {

    @Override
    public String[] getVersion() {
      return new String[] {version()};
    }
  }
}
