package io.anabranch.app.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drain}: takes the proxy out of load balancers, or puts it back. */
@Command(
    name = "drain",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "Tells load balancers to send nobody any more: /ready is 503 from now on.",
      "All who are there, or come all the same, are served. bin/stop.sh then loses nobody."
    })
final class DrainCommand implements Callable<Integer> {

  /** Takes all of it back. */
  static final String END = "/drain?end=true";

  private static final long PAUSE_MILLISECONDS = 500;

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

  @Option(
      names = "--sessions",
      description = {
        "send sessions away, too: those that ask whether their connection is alive, as pools do,",
        "and those that have been silent for proxy-drain-quiet-milliseconds, if nothing is open"
      })
  private boolean isForSessions;

  @Option(names = "--end", description = "takes it back, as undrain does: /ready is 200 again")
  private boolean isEnd;

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      description = "wait so long for the last client to go; exit code 1 if some are left")
  private long waitSeconds;

  DrainCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws InterruptedException {
    AdminClient client = proxy.client(surroundings);
    int left = clients(client.post(path()));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
    while (!isEnd && left > 0 && System.nanoTime() - end < 0) {
      Thread.sleep(PAUSE_MILLISECONDS);
      left = clients(client.get("/drain"));
    }
    PrintWriter out = Output.of(spec);
    out.printf("%s, %d client(s) connected%n", isEnd ? "takes clients" : "draining", left);
    return waitSeconds > 0 && left > 0 && !isEnd ? Anabranch.FAILED : 0;
  }

  private String path() {
    if (isEnd) {
      return END;
    }
    return isForSessions ? "/drain?sessions=true" : "/drain";
  }

  static int clients(AdminClient.Answer answer) {
    if (!answer.isOk()) {
      throw new CommandFailure(Anabranch.FAILED, answer.body().toString());
    }
    return answer.body().get("clients").getAsInt();
  }

  /** {@code undrain}: puts a drained proxy back into load balancers. */
  @Command(
      name = "undrain",
      versionProvider = VersionCommand.Provider.class,
      mixinStandardHelpOptions = true,
      description = "Takes a drain back: /ready is 200 again, and nobody is sent away.")
  static final class End implements Callable<Integer> {

    private final Surroundings surroundings;

    @Spec private @Nullable CommandSpec spec;

    @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

    End(Surroundings surroundings) {
      this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws InterruptedException {
      int clients = clients(proxy.client(surroundings).post(END));
      Output.of(spec).printf("takes clients, %d client(s) connected%n", clients);
      return 0;
    }
  }
}
