package io.anabranch.rules.config.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.anabranch.rules.config.yaml.Place;
import io.anabranch.rules.config.yaml.Problems;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.secret.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} has each property of {@code props}, with its default. */
class PropsReferenceTest {

  private static final Pattern NAME = Pattern.compile("`([a-z][a-z-]+)`");

  /** Said in words: these stand for nothing, or for what another property says. */
  private static final Set<String> WORDS =
      Set.of("none", "empty", "unlimited", "Java's choice", "made by the proxy", "as the other");

  /** One value alone is taken: the page has them among those that are refused. */
  private static final Set<String> FIXED =
      Set.of(
          "proxy-frontend-database-protocol-type",
          "metadata-identifier-case-sensitivity",
          "sql-federation-type");

  private static Map<String, String> settings() {
    Section props = Section.empty(new Problems(), Place.start("global.yaml"));
    PropsReader.read(props, new Secrets(Path.of("."), _ -> null));
    Map<String, String> settings = new TreeMap<>(props.settings());
    settings.keySet().removeAll(FIXED);
    return settings;
  }

  private static String part(String begin, String end) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "configuration.md"));
    int at = page.indexOf(begin);
    return page.substring(at, page.indexOf(end, at));
  }

  /** The defaults as the page says them, by property. */
  private static Map<String, String> documented() throws IOException {
    Map<String, String> documented = new TreeMap<>();
    for (String line : part("### props", "Accepted without effect").lines().toList()) {
      String[] cells = line.split("\\|", -1);
      if (cells.length < 4 || !cells[1].contains("`")) {
        continue;
      }
      List<String> names = NAME.matcher(cells[1]).results().map(found -> found.group(1)).toList();
      String[] defaults = cells[2].replace("`", "").strip().split(", ", -1);
      for (int i = 0; i < names.size(); i++) {
        String former =
            documented.put(
                names.get(i), defaults.length == names.size() ? defaults[i] : defaults[0]);
        assertThat(former).as(names.get(i) + " is there twice").isNull();
      }
    }
    return documented;
  }

  @Test
  void everyPropertyIsThere() throws IOException {
    assertThat(documented().keySet()).containsExactlyElementsOf(settings().keySet());
  }

  @Test
  void withItsDefault() throws IOException {
    Map<String, String> settings = settings();
    documented()
        .forEach(
            (name, said) -> {
              if (!WORDS.contains(said)) {
                assertThat(said).as(name).isEqualTo(settings.get(name));
              }
            });
  }
}
