package io.anabranch.app.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.app.check.InstalledAlgorithms;
import io.anabranch.app.plugin.PlugIns;
import io.anabranch.rules.account.AccountStore;
import io.anabranch.rules.account.AccountStoreProvider;
import io.anabranch.rules.config.ConfigurationLoader;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Examples of the pages: each says what it is. Configuration is read as a start reads it; commands
 * are those of the tarball and of this tree, or of what users have. Statements are tried by {@link
 * StatementsIT}. What is no example, but a form or what is printed, is {@code text}.
 */
class ExamplesTest {

  private static final Set<String> LANGUAGES = Set.of("yaml", "sql", "sh", "text");

  /** What is not ours, and is not run here: it needs more than this tree. */
  private static final Set<String> OTHERS =
      Set.of("mvn", "docker", "mysql", "curl", "tar", "sqlite3", "sudo", "systemctl", "kubectl");

  private static final String SOURCE =
      "{ url: \"jdbc:mysql://10.0.0.5:3306/shop\", username: proxy, password: secret }\n";

  private static final String SOURCES =
      Stream.of("ds_0", "ds_1", "ds_2", "db_a", "db_b", "db_c")
          .map(name -> "  " + name + ": " + SOURCE)
          .reduce("dataSources:\n", String::concat);

  private static final String USERS =
      "authority:\n  users:\n"
          + Stream.of("root", "admin", "report", "export", "auditor", "ci")
              .map(
                  user ->
                      "  - { user: \"" + user + "@%\", password: a-password-of-" + user + " }\n")
              .reduce("", String::concat);

  /** What stands for the plug-in of that page, which is not here. */
  private static final class Ldap implements AccountStoreProvider {

    @Override
    public String type() {
      return "LDAP";
    }

    @Override
    public AccountStore create(Map<String, String> properties) {
      return (_, _, _) -> new AccountStore.Unknown();
    }
  }

  private static List<Example> configurations() throws IOException {
    return Example.of("yaml");
  }

  private static List<Example> commands() throws IOException {
    return Example.of("sh");
  }

  @Test
  void eachSaysWhatItIs() throws IOException {
    assertThat(Example.all()).isNotEmpty().extracting(Example::language).isSubsetOf(LANGUAGES);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aConfigurationIsInOrder(Example example) {
    // what is elsewhere is not here
    String text = example.text().replaceAll("\\$\\{(env|file):[^}]*}", "a-secret-from-elsewhere");
    boolean isGlobal = text.matches("(?s)(mode|limits|queryRules|authority|props|- name):.*");
    String global =
        !isGlobal
            ? USERS
            : text.startsWith("- name")
                ? USERS + "queryRules:\n" + text
                : text.startsWith("authority") ? text : USERS + text;
    String shop = isGlobal ? "rules: []\n" : database(text);
    String named = shop.contains("databaseName:") ? shop : "databaseName: shop\n" + shop;
    String whole =
        named.contains("dataSources:\n") || named.contains("\n  ds") ? named : named + SOURCES;
    ConfigurationLoader loader =
        InstalledAlgorithms.loader(PlugIns.installed(), List.of(new Ldap()));
    try {
      loader.load(
          List.of(
              new ConfigurationText("global.yaml", global),
              new ConfigurationText("database-shop.yaml", whole),
              new ConfigurationText(
                  "database-shop_new.yaml", "databaseName: shop_new\nrules: []\n" + SOURCES),
              new ConfigurationText(
                  "database-crm.yaml",
                  "databaseName: crm\nrules: []\ndataSources:\n  ds_0: " + SOURCE)));
    } catch (ConfigurationException wrong) {
      throw new AssertionError(example + ": " + wrong.problems(), wrong);
    }
  }

  private static String database(String text) {
    if (text.startsWith("- !")) {
      return "rules:\n" + text + "\n";
    }
    return text.contains("rules:") ? text + "\n" : text + "\nrules: []\n";
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommandIsThere(Example example) {
    for (String line : example.lines()) {
      for (String each : line.split("&&", -1)) {
        String program = each.strip().split("\\s+", 2)[0];
        boolean isKnown =
            OTHERS.contains(program)
                || Files.isExecutable(Path.of("..", program))
                || Files.isExecutable(Path.of("src", program));
        assertThat(isKnown).as(example + ": " + program).isTrue();
      }
    }
  }
}
