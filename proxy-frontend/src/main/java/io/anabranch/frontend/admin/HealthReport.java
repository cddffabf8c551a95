package io.anabranch.frontend.admin;

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

  String toJson() {
    var json = new StringBuilder(128);
    boolean isDegraded = isReady() && !isHealthy();
    String word = isDegraded ? "degraded" : state.name().toLowerCase(Locale.ROOT);
    json.append("{\"state\":\"").append(word);
    json.append("\",\"dataSources\":{");
    String separator = "";
    for (var source : dataSources.entrySet()) {
      json.append(separator);
      appendQuoted(json, source.getKey());
      json.append(source.getValue() ? ":\"up\"" : ":\"down\"");
      separator = ",";
    }
    return json.append("}}\n").toString();
  }

  private static void appendQuoted(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        if (c == '"' || c == '\\') {
          json.append('\\');
        }
        json.append(c);
      }
    }
    json.append('"');
  }
}
