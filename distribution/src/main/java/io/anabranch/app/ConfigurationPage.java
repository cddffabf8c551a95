package io.anabranch.app;

import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code POST /configuration/reload} puts the files in force as they are now; {@code GET} tells
 * what that would change. Nothing changes where they are not in order: status 409, then.
 */
final class ConfigurationPage implements AdminPage {

  private static final int OK = 200;
  private static final int CONFLICT = 409;

  private final ConfigurationControl configuration;

  ConfigurationPage(ConfigurationControl configuration) {
    this.configuration = configuration;
  }

  @Override
  public String path() {
    return "/configuration/reload";
  }

  @Override
  public Text answer(boolean changes, Map<String, String> parameters) {
    try {
      List<String> told =
          changes ? configuration.reload("the admin port") : configuration.difference();
      return new Text(OK, list("changes", told));
    } catch (ConfigurationRefusedException refused) {
      return new Text(CONFLICT, list("problems", refused.problems()));
    }
  }

  private static String list(String name, List<String> lines) {
    return lines.stream()
        .map(ReplicasPage::quoted)
        .collect(Collectors.joining(",", "{\"" + name + "\":[", "]}\n"));
  }
}
