package io.anabranch.app;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.check.StartChecks;
import io.anabranch.app.cluster.Cluster;
import io.anabranch.app.cluster.JoinException;
import io.anabranch.frontend.tls.ClientTls;
import io.anabranch.rules.config.Configuration;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.Problem;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.cluster.ClusterRepository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the proxy: arguments, configuration, object graph, and an orderly end on SIGTERM. */
public final class Main {

  private static final Logger log = LoggerFactory.getLogger(Main.class);
  private static final int USAGE = 2;

  private Main() {}

  /** Exits with 2 for wrong arguments, 78 for a wrong configuration, 1 if it cannot start. */
  public static void main(String[] arguments) {
    ClientTls.refuseRenegotiation();
    CommandLine line;
    try {
      line = CommandLine.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.println(CommandLine.USAGE);
      System.exit(USAGE);
      return;
    }
    try {
      run(line);
    } catch (StartException e) {
      log.error("not started: {}", e.getMessage());
      System.err.println(e.getMessage());
      System.exit(e.exitCode());
    } catch (RuntimeException e) {
      log.error("the proxy did not start", e);
      System.err.println("the proxy did not start: " + e);
      System.exit(StartException.FAILED);
    }
  }

  private static void run(CommandLine line) throws StartException {
    ConfigurationLoader loader = InstalledAlgorithms.loader();
    Configuration own = load(loader, line.configuration());
    Cluster cluster = cluster(own, line.configuration());
    Configuration configuration = cluster == null ? own : join(cluster, own, loader);
    InetSocketAddress address = listenAddress(line, configuration.ruleSet());
    Assembly proxy =
        Assembly.start(
            loader, configuration, address, line.socket(), line.configuration(), cluster);
    Signals.reload(proxy.configuration());
    Signals.end(proxy::hurry);
    Runtime.getRuntime().addShutdownHook(new Thread(proxy::close, "shutdown"));
    log.info("listens on {}", proxy.address());
    if (configuration.ruleSet().databases().isEmpty()) {
      log.warn(
          "there is no database-*.yaml in {}: clients can log in, but find no database",
          line.configuration());
    }
    Path addressFile = line.addressFile();
    if (addressFile != null) {
      writeAddress(addressFile, proxy.address());
    }
  }

  private static Configuration load(ConfigurationLoader loader, Path directory)
      throws StartException {
    try {
      Configuration configuration = loader.load(directory);
      for (Problem notice : configuration.notices()) {
        log.warn("configuration: {}", notice);
      }
      return configuration;
    } catch (ConfigurationException e) {
      throw new StartException(StartException.CONFIGURATION, String.valueOf(e.getMessage()), e);
    } catch (ServiceConfigurationError | IllegalArgumentException e) {
      throw new StartException(
          StartException.CONFIGURATION,
          "a plug-in of ext-lib cannot be used: " + e.getMessage(),
          e);
    }
  }

  /** Null for a proxy by itself. */
  static @Nullable Cluster cluster(Configuration own, Path directory) throws StartException {
    ClusterRepository repository = own.repository();
    if (repository == null) {
      return null;
    }
    try {
      String logs = System.getProperty("anabranch.logs");
      Path spare = logs == null ? null : Path.of(logs);
      return new Cluster(repository, directory, spare, Assembly.version());
    } catch (IllegalArgumentException e) {
      throw new StartException(StartException.CONFIGURATION, String.valueOf(e.getMessage()), e);
    }
  }

  /** What the cluster has agreed on. */
  static Configuration join(Cluster cluster, Configuration own, ConfigurationLoader loader)
      throws StartException {
    try {
      return cluster.join(own, loader);
    } catch (JoinException e) {
      cluster.close();
      throw new StartException(StartException.FAILED, String.valueOf(e.getMessage()), e);
    } catch (ConfigurationException e) {
      cluster.close();
      throw new StartException(
          StartException.CONFIGURATION,
          "what the cluster has agreed on is not in order on this machine:\n" + e.getMessage(),
          e);
    }
  }

  /** Everyone knows the sample passwords: they are good for the loopback interface only. */
  static InetSocketAddress listenAddress(CommandLine line, RuleSet rules) throws StartException {
    InetAddress address;
    try {
      address = InetAddress.getByName(line.address());
    } catch (UnknownHostException e) {
      throw new StartException(
          StartException.FAILED, "-a " + line.address() + ": no such address", e);
    }
    List<String> problems = StartChecks.samplePasswords(rules, address);
    if (!problems.isEmpty()) {
      throw new StartException(StartException.CONFIGURATION, problems.getFirst());
    }
    int port = line.port() > 0 ? line.port() : rules.properties().defaultPort();
    return new InetSocketAddress(address, port);
  }

  /** At once or not at all: who waits for the file never reads half of it. */
  private static void writeAddress(Path file, InetSocketAddress address) throws StartException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".tmp");
    try {
      Files.writeString(
          unfinished, address.getAddress().getHostAddress() + " " + address.getPort() + "\n");
      Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new StartException(
          StartException.FAILED, "cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
