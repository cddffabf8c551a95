package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import io.anabranch.rules.secret.SecretNames;
import io.anabranch.rules.secret.Secrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A file for others to read: what it says, without comments and anchors. In the place of a password
 * stands a reference to a variable that is named after the place, so that whoever uses the file is
 * told which are missing.
 */
public final class DocumentExport {

  private DocumentExport() {}

  /** YAML. */
  public static String of(ConfigurationDocument document) {
    var yaml = new YamlText("\n");
    var lines = new StringJoiner("\n", "", "\n");
    masked(document).entries().forEach((key, value) -> lines.add(yaml.entry(key, value, 0)));
    return lines.toString();
  }

  /** A part that holds no passwords, in braces. */
  public static String inOneLine(DocumentPart part) {
    return YamlText.flow(part);
  }

  /** What it says, with references in the place of passwords. */
  public static Mapping masked(ConfigurationDocument document) {
    return (Mapping) masked("", document.root());
  }

  private static DocumentPart masked(String place, DocumentPart part) {
    return switch (part) {
      case Scalar scalar -> new Scalar(scalar.tag(), value(place, scalar.text()));
      case Listing listing -> {
        var items = new ArrayList<DocumentPart>();
        listing.items().forEach(item -> items.add(masked(place, item)));
        yield new Listing(listing.tag(), items);
      }
      case Mapping mapping -> {
        var entries = new LinkedHashMap<String, DocumentPart>();
        mapping
            .entries()
            .forEach(
                (key, value) ->
                    entries.put(key, masked(place.isEmpty() ? key : place + "." + key, value)));
        yield new Mapping(mapping.tag(), entries);
      }
    };
  }

  private static String value(String place, String text) {
    String key = place.substring(place.lastIndexOf('.') + 1);
    if (SecretNames.isSecret(key)) {
      return Secrets.areReferences(text) ? text : "${env:" + variable(place) + "}";
    }
    return key.equals("url")
        ? text.replaceAll("//[^/?]*@", "//")
            .replaceAll(
                "(?i)([?&][a-z]*password[a-z]*=)[^&]*", "$1\\${env:" + variable(place) + "}")
        : text;
  }

  private static String variable(String place) {
    return place.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
  }
}
