package io.anabranch.app.cli;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.file.PlainFile;
import io.anabranch.rules.model.ProxyProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which proxy is meant. */
final class RunningProxyOptions {

  private static final String TOKEN = "ANABRANCH_ADMIN_TOKEN";

  @Option(
      names = {"-c", "--conf"},
      paramLabel = "CONF",
      description = "configuration that names the admin port and its token (conf/ beside bin/)")
  private @Nullable Path directory;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "admin port of another proxy: http://10.0.0.5:9307")
  private @Nullable URI url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "holds proxy-admin-token; otherwise $" + TOKEN + ", otherwise what CONF says")
  private @Nullable Path tokenFile;

  /**
   * @throws CommandFailure if the configuration cannot tell, or has no admin port
   */
  AdminClient client(Surroundings surroundings) {
    String token = givenToken(surroundings);
    if (url != null) {
      return new AdminClient(url, token == null ? "" : token);
    }
    ProxyProperties.Admin admin = admin(surroundings.configuration(directory));
    if (admin.port() == 0) {
      throw new CommandFailure(
          Anabranch.UNREACHABLE, "proxy-admin-port is 0: there is nothing to ask the proxy by");
    }
    return new AdminClient(place(admin), token == null ? admin.token() : token);
  }

  private @Nullable String givenToken(Surroundings surroundings) {
    if (tokenFile == null) {
      return surroundings.environment().apply(TOKEN);
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new CommandFailure(Anabranch.FAILED, tokenFile + " cannot be read: " + e.getMessage());
    }
  }

  /** Of the global file alone where others have problems: the proxy shall tell those. */
  private static ProxyProperties.Admin admin(Path directory) {
    try {
      return InstalledAlgorithms.loader().load(directory).ruleSet().properties().admin();
    } catch (ConfigurationException whole) {
      try {
        return InstalledAlgorithms.loader()
            .load(global(directory), directory)
            .ruleSet()
            .properties()
            .admin();
      } catch (ConfigurationException | IOException part) {
        throw new CommandFailure(
            Anabranch.CONFIGURATION, Configurations.told(directory, whole.problems()));
      }
    }
  }

  private static List<ConfigurationText> global(Path directory) throws IOException {
    var texts = new ArrayList<ConfigurationText>();
    for (String name : List.of("global.yaml", "server.yaml")) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        texts.add(new ConfigurationText(name, PlainFile.text(file, PlainFile.MOST_CONFIGURATION)));
      }
    }
    return texts;
  }

  private static URI place(ProxyProperties.Admin admin) {
    try {
      InetAddress address = InetAddress.getByName(admin.address());
      InetAddress dialled =
          address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
      String host = dialled.getHostAddress();
      return URI.create(
          "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + admin.port());
    } catch (UnknownHostException e) {
      throw new CommandFailure(
          Anabranch.CONFIGURATION, "proxy-admin-address: " + admin.address() + ": no such address");
    }
  }
}
