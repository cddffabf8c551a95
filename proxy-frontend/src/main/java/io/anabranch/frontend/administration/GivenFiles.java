package io.anabranch.frontend.administration;

import io.anabranch.frontend.administration.conversion.Conversion;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.ConfigurationDocuments;
import io.anabranch.rules.config.yaml.ConfigurationException;
import io.anabranch.rules.config.yaml.ConfigurationText;
import io.anabranch.rules.config.yaml.Problem;
import java.util.List;

/** Statements about a database's file that lies anywhere on the proxy's machine. */
final class GivenFiles {

  static final String PATH = "path";

  private GivenFiles() {}

  /** IMPORT DATABASE CONFIGURATION: the file's database comes in force, as one of its own. */
  static List<List<String>> imported(Request request) {
    ConfigurationDocument document = document(request);
    request.control().change(all -> with(all, document), request.author());
    return List.of();
  }

  private static ConfigurationDocuments with(
      ConfigurationDocuments all, ConfigurationDocument document) {
    String name = document.databaseName();
    if (name != null && all.database(name) != null) {
      throw new ConfigurationRefusedException(
          List.of(
              "there is a database `"
                  + name
                  + "` already: change its file, then RELOAD CONFIGURATION, or run what CONVERT"
                  + " YAML CONFIGURATION makes of the other"));
    }
    return all.plus(document);
  }

  /** CONVERT YAML CONFIGURATION: the statements that make what it says. */
  static List<List<String>> converted(Request request) {
    return GlobalListings.lines(
        Conversion.of(document(request), request.match().mode().noBackslashEscapes()));
  }

  private static ConfigurationDocument document(Request request) {
    ConfigurationText text = request.control().read(request.given(PATH));
    ConfigurationDocument document;
    try {
      document = ConfigurationDocument.ofUnknown(text);
    } catch (ConfigurationException unreadable) {
      throw new ConfigurationRefusedException(
          unreadable.problems().stream().map(Problem::toString).toList());
    }
    if (document.databaseName() == null) {
      throw new ConfigurationRefusedException(
          List.of(text.fileName() + ": the key `databaseName` is missing: no file of a database"));
    }
    return document;
  }
}
