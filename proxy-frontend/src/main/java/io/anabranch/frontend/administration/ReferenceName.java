package io.anabranch.frontend.administration;

import java.util.Locale;

/**
 * What a group of binding tables is called. The files give them no names, so it is told by its
 * tables.
 */
final class ReferenceName {

  private ReferenceName() {}

  /**
   * @param group as the file has it: names between commas
   */
  static String of(String group) {
    return String.join("_", group.toLowerCase(Locale.ROOT).strip().split("\\s*,\\s*"));
  }
}
