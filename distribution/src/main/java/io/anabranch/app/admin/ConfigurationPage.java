package io.anabranch.app.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /configuration/reload} puts the files in force as they are now; {@code GET} tells
 * what that would change. Nothing changes where they are not in order: status 409, then.
 */
public final class ConfigurationPage implements AdminPage {

  private static final int OK = 200;
  private static final int CONFLICT = 409;

  private final ConfigurationControl configuration;

  public ConfigurationPage(ConfigurationControl configuration) {
    this.configuration = configuration;
  }

  @Override
  public String path() {
    return "/configuration/reload";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    try {
      List<String> told =
          changes ? configuration.reload("the admin port") : configuration.difference();
      return new Answer(OK, list("changes", told));
    } catch (ConfigurationRefusedException refused) {
      return new Answer(CONFLICT, list("problems", refused.problems()));
    }
  }

  private static JsonObject list(String name, List<String> lines) {
    var array = new JsonArray();
    lines.forEach(array::add);
    var body = new JsonObject();
    body.add(name, array);
    return body;
  }
}
