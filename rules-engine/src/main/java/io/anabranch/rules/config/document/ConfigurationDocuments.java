package io.anabranch.rules.config.document;

import io.anabranch.rules.config.yaml.ConfigurationText;
import java.util.ArrayList;
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

  /**
   * The same with one more database.
   *
   * @param added its file's name does not matter: it gets one of the database's
   */
  public ConfigurationDocuments plus(ConfigurationDocument added) {
    String database = String.valueOf(added.databaseName());
    String base = "database-" + database.replaceAll("[^A-Za-z0-9_$.-]", "_");
    String fileName = base + ".yaml";
    for (int i = 2; named(fileName) != null; i++) {
      fileName = base + "-" + i + ".yaml";
    }
    var all = new ArrayList<>(documents);
    all.add(new ConfigurationDocument(fileName, added.text(), added.root()));
    return new ConfigurationDocuments(all);
  }

  /** The same without a database. */
  public ConfigurationDocuments minus(ConfigurationDocument gone) {
    return new ConfigurationDocuments(
        documents.stream().filter(each -> !each.fileName().equals(gone.fileName())).toList());
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
      String own = each.databaseName();
      if (own != null && own.equalsIgnoreCase(name)) {
        return each;
      }
    }
    return null;
  }
}
