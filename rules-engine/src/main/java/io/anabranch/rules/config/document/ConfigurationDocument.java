package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;

/**
 * One file.
 *
 * @param text of the file; holds passwords
 * @param root empty if the file is
 */
public record ConfigurationDocument(String fileName, String text, Mapping root) {

  /**
   * Reads a file.
   *
   * @throws RuntimeException if it is no YAML
   */
  public static ConfigurationDocument of(String fileName, String text) {
    return new ConfigurationDocument(fileName, text, DocumentReader.read(text));
  }

  /**
   * A rule of a database, empty if it has none.
   *
   * @param tag without the exclamation mark, in any case
   */
  public Mapping rule(String tag) {
    if (root.entries().get("rules") instanceof Listing rules) {
      for (DocumentPart rule : rules.items()) {
        if (rule instanceof Mapping mapping && rule.tag().equalsIgnoreCase(tag)) {
          return mapping;
        }
      }
    }
    return Mapping.EMPTY;
  }

  /** Without the content, which holds passwords. */
  @Override
  public String toString() {
    return fileName;
  }
}
