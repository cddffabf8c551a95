package io.anabranch.rules.config.database;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.protection.BreakerSettings;
import org.jspecify.annotations.Nullable;

/** The key {@code circuitBreaker} of a data source. */
final class BreakerReader {

  private static final long LONGEST = 3_600_000;

  private BreakerReader() {}

  /** Null: there is none. */
  static @Nullable BreakerSettings read(Section source) {
    Section breaker = source.section("circuitBreaker");
    if (breaker == null) {
      return null;
    }
    var read =
        new BreakerSettings(
            breaker.integer("errorPercent", 50, 1, 100),
            breaker.number("slowMilliseconds", 0, 1, LONGEST),
            breaker.integer("slowPercent", 50, 1, 100),
            breaker.integer("statements", 20, 1, 1_000_000),
            breaker.number("windowMilliseconds", 10_000, 100, LONGEST),
            breaker.number("openMilliseconds", 1000, 10, LONGEST),
            breaker.integer("trials", 5, 1, 10_000));
    Value slow = breaker.value("slowPercent");
    if (slow != null && !breaker.has("slowMilliseconds")) {
      slow.error("has no effect without `slowMilliseconds`", "add it, or leave this out");
    }
    breaker.close();
    return read;
  }
}
