package io.anabranch.frontend.administration.rule;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import io.anabranch.rules.secret.SecretNames;
import java.util.List;
import java.util.StringJoiner;

/** Algorithms and their like, as the configuration names them: {@code type} and {@code props}. */
public final class AlgorithmText {

  private AlgorithmText() {}

  /** A row for each. */
  public static List<List<String>> rows(Mapping byName) {
    return byName.mappings().entrySet().stream()
        .map(entry -> List.of(entry.getKey(), type(entry.getValue()), props(entry.getValue())))
        .toList();
  }

  static String type(Mapping algorithm) {
    return algorithm.shown("type");
  }

  /** {@code name=value, name=value}; secrets hidden. */
  static String props(Mapping algorithm) {
    var shown = new StringJoiner(", ");
    algorithm
        .mapping("props")
        .entries()
        .forEach(
            (key, part) -> {
              String value = part instanceof Scalar scalar ? scalar.text() : "";
              shown.add(key + "=" + (SecretNames.isSecret(key) ? SecretNames.HIDDEN : value));
            });
    return shown.toString();
  }
}
