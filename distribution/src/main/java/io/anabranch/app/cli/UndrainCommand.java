package io.anabranch.app.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code undrain}: puts a drained proxy back into load balancers. */
@Command(
    name = "undrain",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = "Takes a drain back: /ready is 200 again, and nobody is sent away.")
final class UndrainCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

  UndrainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws InterruptedException {
    int clients = DrainCommand.clients(proxy.client(surroundings).post(DrainCommand.END));
    Output.of(spec).printf("takes clients, %d client(s) connected%n", clients);
    return 0;
  }
}
