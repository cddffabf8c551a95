package io.anabranch.rules.config.database;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.model.protection.OverloadSettings;

/** The key {@code overload} of a data source. */
final class OverloadReader {

  private static final int MOST_WAITING = 1_000_000;
  private static final int LEAST_PERCENT = 110;
  private static final int MOST_PERCENT = 10_000;
  private static final double PERCENT = 100;

  private OverloadReader() {}

  /**
   * @param maxPoolSize of the data source
   */
  static OverloadSettings read(Section source, int maxPoolSize) {
    Section overload = source.section("overload");
    if (overload == null) {
      return OverloadSettings.NONE;
    }
    int least = overload.integer("leastConnections", Math.max(1, maxPoolSize / 5), 1, maxPoolSize);
    var settings =
        new OverloadSettings(
            overload.integer("queue", 0, 1, MOST_WAITING),
            overload.flag("adaptive", false),
            least,
            overload.integer("slowerPercent", 200, LEAST_PERCENT, MOST_PERCENT) / PERCENT);
    for (String key : new String[] {"leastConnections", "slowerPercent"}) {
      if (overload.has(key) && !settings.adapts()) {
        overload.error("`" + key + "` without `adaptive: true`", "add it, or leave this out");
      }
    }
    overload.close();
    return settings;
  }
}
