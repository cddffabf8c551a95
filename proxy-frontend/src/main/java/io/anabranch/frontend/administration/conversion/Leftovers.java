package io.anabranch.frontend.administration.conversion;

import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.List;

/** What a file says that no statement can: as comments, so that scripts have them, too. */
final class Leftovers {

  private final List<String> comments = new ArrayList<>();

  /** All keys but these. */
  void allBut(String place, Mapping mapping, String... known) {
    List<String> said = List.of(known);
    for (String key : mapping.entries().keySet()) {
      if (!said.contains(key)) {
        add(place + (place.isEmpty() ? "" : ".") + key);
      }
    }
  }

  /** Properties that are no single values. */
  void structured(String place, Mapping properties) {
    properties
        .entries()
        .forEach(
            (key, part) -> {
              if (!(part instanceof DocumentPart.Scalar)) {
                add(place + "." + key);
              }
            });
  }

  void add(String place) {
    String oneLine = place.replaceAll("[\\r\\n]", " ");
    comments.add("-- " + oneLine + ": there is no statement for it; write it in the file");
  }

  List<String> comments() {
    return List.copyOf(comments);
  }
}
