package io.anabranch.frontend.admin;

import com.google.gson.JsonObject;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the proxy is, for {@code /health} and {@code /ready}.
 *
 * @param dataSources by {@code database.dataSource}: whether it can be reached
 */
public record HealthReport(State state, Map<String, Boolean> dataSources) {

  /** Phases of the proxy's life. */
  public enum State {
    STARTING,
    UP,
    DRAINING
  }

  public HealthReport {
    dataSources = java.util.Collections.unmodifiableMap(new TreeMap<>(dataSources));
  }

  /** Whether clients may be sent here. */
  public boolean isReady() {
    return state == State.UP;
  }

  /** Whether the proxy is up and reaches all its data sources. */
  public boolean isHealthy() {
    return isReady() && !dataSources.containsValue(false);
  }

  /** As the admin port tells it. */
  public JsonObject toJson() {
    boolean isDegraded = isReady() && !isHealthy();
    var sources = new JsonObject();
    dataSources.forEach((name, isUp) -> sources.addProperty(name, isUp ? "up" : "down"));
    var json = new JsonObject();
    json.addProperty("state", isDegraded ? "degraded" : state.name().toLowerCase(Locale.ROOT));
    json.add("dataSources", sources);
    return json;
  }
}
