package io.anabranch.app.convert;

import java.util.Map;

/**
 * A row of one of ProxySQL's tables.
 *
 * @param place file and line
 * @param values by column, in lower case; NULL is left out
 */
record ProxySqlRow(String place, Map<String, String> values) {

  /** The value; empty if there is none. */
  String get(String column) {
    return values.getOrDefault(column, "");
  }

  /** The value, or what ProxySQL takes for one that is missing. */
  String get(String column, String otherwise) {
    return values.getOrDefault(column, otherwise);
  }

  int number(String column, int otherwise) {
    String text = get(column);
    return text.matches("-?\\d{1,9}") ? Integer.parseInt(text) : otherwise;
  }
}
