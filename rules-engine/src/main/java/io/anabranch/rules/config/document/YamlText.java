package io.anabranch.rules.config.document;

import io.anabranch.rules.config.document.DocumentPart.Listing;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Parts as YAML: short ones in braces, long ones line by line. */
final class YamlText {

  private static final int SHORT = 100;
  private static final int STEP = 2;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_./-]*");

  private final String lineEnd;

  /**
   * @param lineEnd of the file
   */
  YamlText(String lineEnd) {
    this.lineEnd = lineEnd;
  }

  /** A key, or a value of one line. */
  static String scalar(String text) {
    boolean isNull = text.isEmpty() || text.toLowerCase(Locale.ROOT).equals("null");
    if (!isNull && PLAIN.matcher(text).matches()) {
      return text;
    }
    if (text.chars().noneMatch(c -> c < ' ' || c == 0x7f || (c > 0x7f && !isPrintable(c)))) {
      return "'" + text.replace("'", "''") + "'";
    }
    var quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || (c > 0x7f && !isPrintable(c))) {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Half of a character outside of the basic plane is taken for printable, too. */
  private static boolean isPrintable(int c) {
    return c >= 0xa0 && c != 0x2028 && c != 0x2029 && c != 0xfeff;
  }

  /** In braces and brackets. */
  static String flow(DocumentPart part) {
    String tag = part.tag().isEmpty() ? "" : "!" + part.tag() + " ";
    return tag
        + switch (part) {
          case Scalar scalar -> scalar(scalar.text());
          case Listing listing -> {
            var items = new StringJoiner(", ", "[", "]");
            listing.items().forEach(item -> items.add(flow(item)));
            yield items.toString();
          }
          case Mapping mapping -> {
            var entries = new StringJoiner(", ", "{ ", " }").setEmptyValue("{}");
            mapping
                .entries()
                .forEach((key, value) -> entries.add(scalar(key) + ": " + flow(value)));
            yield entries.toString();
          }
        };
  }

  /**
   * What follows {@code key:}, with the blank or the line end in front.
   *
   * @param indent of the key
   */
  String behindKey(DocumentPart part, int indent) {
    if (isShort(part)) {
      return " " + flow(part);
    }
    String tag = part.tag().isEmpty() ? "" : " !" + part.tag();
    return tag
        + switch (part) {
          case Scalar scalar -> " " + scalar(scalar.text());
          case Mapping mapping -> lineEnd + lines(mapping, indent + STEP);
          case Listing listing -> {
            var lines = new StringBuilder();
            listing.items().forEach(item -> lines.append(lineEnd).append(item(item, indent)));
            yield lines.toString();
          }
        };
  }

  /** An item of a list with its dash and indent, without a line end in front. */
  String item(DocumentPart part, int indent) {
    return " ".repeat(indent) + "-" + behindKey(part, indent);
  }

  /** An entry of a mapping with its indent, without a line end in front. */
  String entry(String key, DocumentPart value, int indent) {
    return " ".repeat(indent) + scalar(key) + ":" + behindKey(value, indent);
  }

  private String lines(Mapping mapping, int indent) {
    var lines = new StringJoiner(lineEnd);
    mapping.entries().forEach((key, value) -> lines.add(entry(key, value, indent)));
    return lines.toString();
  }

  /** Rules are never in braces: people look for them. */
  private static boolean isShort(DocumentPart part) {
    return switch (part) {
      case Scalar _ -> part.tag().isEmpty();
      case Mapping mapping ->
          mapping.tag().isEmpty() && depth(part) <= STEP && flow(mapping).length() < SHORT;
      case Listing listing -> depth(listing) <= 1 && flow(listing).length() < SHORT;
    };
  }

  private static int depth(DocumentPart part) {
    return switch (part) {
      case Scalar _ -> 0;
      case Mapping mapping ->
          1 + mapping.entries().values().stream().mapToInt(YamlText::depth).max().orElse(0);
      case Listing listing ->
          1 + listing.items().stream().mapToInt(YamlText::depth).max().orElse(0);
    };
  }
}
