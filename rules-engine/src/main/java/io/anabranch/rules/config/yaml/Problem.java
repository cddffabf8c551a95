package io.anabranch.rules.config.yaml;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong, or worth knowing, about a configuration file. Never contains a password.
 *
 * @param file name without directory
 * @param line from 1
 * @param column from 1
 * @param keyPath {@code dataSources.ds_0.url}; empty for the file as a whole
 * @param reason a sentence without a full stop
 * @param suggestion what to do instead; null if there is nothing to suggest
 */
public record Problem(
    String file, int line, int column, String keyPath, String reason, @Nullable String suggestion) {

  /** {@code file:line:column: key.path: reason; suggestion}. */
  @Override
  public String toString() {
    String place = file + ":" + line + ":" + column + ": ";
    String path = keyPath.isEmpty() ? "" : keyPath + ": ";
    return place + path + reason + (suggestion == null ? "" : "; " + suggestion);
  }
}
