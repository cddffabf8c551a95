package io.anabranch.app.cli;

import io.anabranch.rules.model.Authority.User;
import io.anabranch.rules.model.Password;
import io.anabranch.rules.model.RuleSet;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where and as whom to connect as a client of MySQL. */
final class ClientOptions {

  private static final String PASSWORD = "ANABRANCH_PASSWORD";

  private static final Set<String> HERE = Set.of("127.0.0.1", "::1", "localhost");

  @Option(
      names = {"-c", "--conf"},
      paramLabel = "CONF",
      description = "configuration whose administrator to log in as (conf/ beside bin/)")
  private @Nullable Path directory;

  @Option(
      names = {"-H", "--host"},
      paramLabel = "HOST",
      description = "where the proxy listens (the one of this installation)")
  private @Nullable String host;

  @Option(
      names = {"-P", "--port"},
      paramLabel = "PORT",
      description = "likewise")
  private int port;

  @Option(
      names = {"-u", "--user"},
      paramLabel = "NAME",
      description =
          "whose password is in $" + PASSWORD + ", or asked for (an administrator of CONF)")
  private @Nullable String user;

  @Option(
      names = {"-D", "--database"},
      paramLabel = "NAME",
      description = "logical database to begin in")
  private String database = "";

  @Option(names = "--tls", description = "over TLS, whatever the certificate")
  private boolean isEncrypted;

  /** Where to connect as whom. */
  record Login(String url, Properties properties) {}

  /**
   * @throws CommandFailure if nothing says where or as whom
   */
  Login login(Surroundings surroundings) {
    boolean isHere = host == null || HERE.contains(host);
    if (!isHere && user == null) {
      throw new CommandFailure(
          Anabranch.FAILED, "the configuration's users are those of the proxy here: say --user");
    }
    var properties = new Properties();
    properties.setProperty("allowPublicKeyRetrieval", Boolean.toString(isHere));
    properties.setProperty("connectTimeout", "5000");
    properties.setProperty("sslMode", isEncrypted ? "trust" : "disable");
    if (user == null) {
      User admin = administrator(surroundings);
      properties.setProperty("user", admin.name());
      properties.setProperty("password", ((Password.Plain) admin.password()).text());
    } else {
      properties.setProperty("user", user);
      properties.setProperty("password", password(surroundings));
    }
    return new Login("jdbc:mariadb://" + place(surroundings) + "/" + database, properties);
  }

  private RuleSet rules(Surroundings surroundings) {
    return Configurations.load(surroundings.configuration(directory)).ruleSet();
  }

  private User administrator(Surroundings surroundings) {
    return rules(surroundings).authority().users().stream()
        .filter(each -> each.password() instanceof Password.Plain)
        .min(Comparator.comparing(each -> !each.admin()))
        .orElseThrow(
            () ->
                new CommandFailure(
                    Anabranch.FAILED,
                    "the configuration has no user whose password is in clear: say --user"));
  }

  private String password(Surroundings surroundings) {
    String given = surroundings.environment().apply(PASSWORD);
    if (given != null) {
      return given;
    }
    return Optional.ofNullable(System.console())
        .filter(Console::isTerminal)
        .map(console -> new String(console.readPassword("Password: ")))
        .orElseThrow(() -> new CommandFailure(Anabranch.FAILED, "no password: set " + PASSWORD));
  }

  private String place(Surroundings surroundings) {
    String[] running = host == null || port == 0 ? running(surroundings) : new String[] {"", "0"};
    String address = host == null ? running[0] : host;
    String dialled =
        switch (address) {
          case "0.0.0.0", "" -> "127.0.0.1";
          case "0:0:0:0:0:0:0:0", "::" -> "::1";
          default -> address;
        };
    return (dialled.contains(":") ? "[" + dialled + "]" : dialled)
        + ":"
        + (port == 0 ? running[1] : port);
  }

  /** Address and port as the running proxy has written them, else as it is configured. */
  private String[] running(Surroundings surroundings) {
    try {
      String[] written =
          Files.readString(surroundings.logs().resolve("anabranch.address")).strip().split(" ", 2);
      if (written.length == 2) {
        return written;
      }
    } catch (IOException e) {
      // it does not run from this installation: its configuration says where it would
      return new String[] {
        "127.0.0.1", Integer.toString(rules(surroundings).properties().defaultPort())
      };
    }
    throw new CommandFailure(Anabranch.UNREACHABLE, "the proxy does not listen yet");
  }
}
