package io.anabranch.rules.config.document;

import io.anabranch.rules.config.yaml.ConfigurationText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of one valid configuration. */
public final class ConfigurationDocuments {

  private static final String GLOBAL = "global.yaml";
  private static final String OLD_GLOBAL = "server.yaml";

  private final List<ConfigurationDocument> documents;

  private ConfigurationDocuments(List<ConfigurationDocument> documents) {
    this.documents = documents;
  }

  /**
   * Reads all of them.
   *
   * @param texts of a valid configuration
   */
  public static ConfigurationDocuments of(List<ConfigurationText> texts) {
    return new ConfigurationDocuments(
        texts.stream()
            .map(text -> ConfigurationDocument.of(text.fileName(), text.content()))
            .toList());
  }

  /** What holds for all databases. */
  public ConfigurationDocument global() {
    ConfigurationDocument found = named(GLOBAL);
    ConfigurationDocument old = found == null ? named(OLD_GLOBAL) : found;
    return old == null ? ConfigurationDocument.of(GLOBAL, "") : old;
  }

  /** The same with another text of a file. */
  public ConfigurationDocuments with(ConfigurationDocument changed) {
    return new ConfigurationDocuments(
        documents.stream()
            .map(each -> each.fileName().equals(changed.fileName()) ? changed : each)
            .toList());
  }

  /** All files. */
  public List<ConfigurationText> texts() {
    return documents.stream()
        .map(each -> new ConfigurationText(each.fileName(), each.text()))
        .toList();
  }

  private @Nullable ConfigurationDocument named(String fileName) {
    for (ConfigurationDocument each : documents) {
      if (each.fileName().equals(fileName)) {
        return each;
      }
    }
    return null;
  }

  /** The file of a logical database, in any case; null for one that is in no file. */
  public @Nullable ConfigurationDocument database(String name) {
    for (ConfigurationDocument each : documents) {
      String own =
          each.root().has("databaseName")
              ? each.root().text("databaseName")
              : each.root().text("schemaName");
      if (own != null && own.strip().equalsIgnoreCase(name)) {
        return each;
      }
    }
    return null;
  }
}
