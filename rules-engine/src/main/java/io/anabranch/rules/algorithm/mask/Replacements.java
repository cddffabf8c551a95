package io.anabranch.rules.algorithm.mask;

import io.anabranch.rules.algorithm.AlgorithmProperties;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** Characters that are replaced by others of their kind, drawn by lot for each cell. */
final class Replacements {

  private Replacements() {}

  /** The day of birth in a Chinese identity number of 15 or 18 characters; others stay. */
  static Masker personal(AlgorithmProperties properties) {
    String area = properties.text("area", "CN");
    if (!area.equals("CN")) {
      properties.problem("area", "must be CN");
    }
    properties.check();
    var random = new SecureRandom();
    return value ->
        switch (value.length()) {
          case 15 -> digits(value, 6, 12, random);
          case 18 -> digits(value, 6, 14, random);
          default -> value;
        };
  }

  /** The first character by one of the codes', then the digits. */
  static Masker military(AlgorithmProperties properties) {
    List<String> codes = list(properties, "type-codes");
    properties.check();
    var random = new SecureRandom();
    return value -> {
      char[] characters = value.toCharArray();
      characters[0] = drawn(codes, random).charAt(0);
      for (int i = 1; i < characters.length; i++) {
        characters[i] = Character.isDigit(characters[i]) ? digit(random) : characters[i];
      }
      return new String(characters);
    };
  }

  /** An area's number by another one, the rest by digits; numbers of no listed area stay. */
  static Masker landline(AlgorithmProperties properties) {
    List<String> areas = list(properties, "landline-numbers");
    properties.check();
    var random = new SecureRandom();
    return value -> {
      for (String area : areas) {
        if (value.startsWith(area)) {
          String rest = digits(value, area.length(), value.length(), random);
          return drawn(areas, random) + rest.substring(area.length());
        }
      }
      return value;
    };
  }

  /** The network's number stays, the longest that fits; numbers of no listed network stay whole. */
  static Masker telephone(AlgorithmProperties properties) {
    List<String> networks =
        list(properties, "network-numbers").stream()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
    for (String network : networks) {
      if (!network.chars().allMatch(c -> c >= '0' && c <= '9')) {
        properties.problem("network-numbers", "`" + network + "` is no number");
      }
    }
    properties.check();
    var random = new SecureRandom();
    return value -> {
      for (String network : networks) {
        if (value.startsWith(network)) {
          return digits(value, network.length(), value.length(), random);
        }
      }
      return value;
    };
  }

  /** Another code altogether. */
  static Masker creditCode(AlgorithmProperties properties) {
    List<String> departments = list(properties, "registration-department-codes");
    List<String> categories = list(properties, "category-codes");
    List<String> divisions = list(properties, "administrative-division-codes");
    properties.check();
    var random = new SecureRandom();
    return _ ->
        drawn(departments, random).charAt(0)
            + drawn(categories, random).substring(0, 1)
            + drawn(divisions, random)
            + digits("0".repeat(10), 0, 10, random);
  }

  /** Letters by letters, digits by digits, all else by a special character. */
  static Masker generic(AlgorithmProperties properties) {
    String upper = codes(properties, "uppercase-letter-codes", "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    String lower = codes(properties, "lowercase-letter-codes", "abcdefghijklmnopqrstuvwxyz");
    String digits = codes(properties, "digital-codes", "0123456789");
    String special = codes(properties, "special-codes", "~!@#$%^&*:<>|");
    properties.check();
    var random = new SecureRandom();
    return value -> {
      var masked = new StringBuilder(value.length());
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        String by =
            c >= 'A' && c <= 'Z'
                ? upper
                : c >= 'a' && c <= 'z' ? lower : c >= '0' && c <= '9' ? digits : special;
        masked.append(by.charAt(random.nextInt(by.length())));
      }
      return masked.toString();
    };
  }

  private static String digits(String value, int from, int to, RandomGenerator random) {
    char[] characters = value.toCharArray();
    for (int i = from; i < to; i++) {
      characters[i] = digit(random);
    }
    return new String(characters);
  }

  private static char digit(RandomGenerator random) {
    return (char) ('0' + random.nextInt(10));
  }

  private static String drawn(List<String> from, RandomGenerator random) {
    return from.get(random.nextInt(from.size()));
  }

  /** A required comma list. */
  private static List<String> list(AlgorithmProperties properties, String name) {
    List<String> values = split(properties.requiredText(name));
    if (properties.isValid() && values.isEmpty()) {
      properties.problem(name, "is required");
    }
    return values;
  }

  /** The first character of each in a comma list. */
  private static String codes(AlgorithmProperties properties, String name, String otherwise) {
    if (!properties.isPresent(name)) {
      return otherwise;
    }
    var codes = new StringBuilder();
    split(properties.text(name, "")).forEach(code -> codes.append(code.charAt(0)));
    if (codes.isEmpty()) {
      properties.problem(name, "must not be empty");
      return otherwise;
    }
    return codes.toString();
  }

  private static List<String> split(String list) {
    return Arrays.stream(list.split(",", -1))
        .map(String::strip)
        .filter(part -> !part.isEmpty())
        .toList();
  }
}
