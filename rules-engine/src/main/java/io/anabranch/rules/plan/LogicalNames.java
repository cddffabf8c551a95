package io.anabranch.rules.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts logical names in the place of actual ones in the texts of a database's errors. */
public final class LogicalNames {

  private static final Pattern CONSTRAINT =
      Pattern.compile("constraint ([`'])((?:(?!\\1).)+)\\1", Pattern.CASE_INSENSITIVE);
  private static final String DATABASE = "database '";

  private LogicalNames() {}

  /**
   * Replaces actual table names that stand as whole words; a schema in front of one ({@code
   * 'shop_0.t_order_3'}, {@code `shop_0`.`t_order_3`}) becomes the logical database.
   */
  public static String in(String text, NameMapping names) {
    String result = text;
    List<Map.Entry<String, String>> longestFirst = new ArrayList<>(names.tables().entrySet());
    longestFirst.sort(
        Comparator.comparingInt((Map.Entry<String, String> entry) -> entry.getKey().length())
            .reversed());
    result = ofConstraints(result, names);
    for (Map.Entry<String, String> entry : longestFirst) {
      result = replace(result, entry.getKey(), entry.getValue(), names);
    }
    return result;
  }

  /**
   * Puts the client's name of the schema in the place of the database's own, where it qualifies
   * another name: {@code FUNCTION shop_0.f}, {@code `shop_0`.`t`}.
   *
   * @param actual name of the database's schema; empty: the text stays as it is
   */
  public static String ofSchema(String text, NameMapping names, String actual) {
    String schema = names.schema();
    if (actual.isEmpty() || schema.isEmpty() || actual.equals(schema)) {
      return text;
    }
    var renamed = new StringBuilder(text.length());
    int done = 0;
    for (int at = text.indexOf(actual); at >= 0; at = text.indexOf(actual, at + 1)) {
      int end = at + actual.length();
      boolean isWhole = at == 0 || !isWord(text.charAt(at - 1));
      if (at >= done && isWhole && (qualifies(text, end) || isDatabase(text, at, end))) {
        renamed.append(text, done, at).append(schema);
        done = end;
      }
    }
    return renamed.append(text, done, text.length()).toString();
  }

  /** As {@link NodeConstraints} has them: {@code CONSTRAINT `fk_t_order_3`}. */
  public static String ofConstraints(String text, NameMapping names) {
    Matcher named = CONSTRAINT.matcher(text);
    var renamed = new StringBuilder(text.length());
    int done = 0;
    while (named.find()) {
      renamed.append(text, done, named.start(2)).append(constraint(named.group(2), names));
      done = named.end(2);
    }
    return done == 0 ? text : renamed.append(text, done, text.length()).toString();
  }

  private static String constraint(String name, NameMapping names) {
    return names.tables().entrySet().stream()
        .filter(entry -> !entry.getKey().equals(entry.getValue()))
        .map(entry -> NodeConstraints.logical(name, entry.getKey(), entry.getValue()))
        .filter(logical -> !logical.equals(name))
        .findFirst()
        .orElse(name);
  }

  /** {@code database 'shop_0'}. */
  private static boolean isDatabase(String text, int at, int end) {
    int word = at - DATABASE.length();
    return word >= 0
        && text.regionMatches(true, word, DATABASE, 0, DATABASE.length())
        && text.startsWith("'", end);
  }

  private static boolean qualifies(String text, int end) {
    boolean isPoint = text.startsWith(".", end) || text.startsWith("/", end);
    int next = isPoint ? end + 1 : text.startsWith("`.`", end) ? end + 3 : -1;
    return next >= 0 && next < text.length() && isWord(text.charAt(next));
  }

  private static String replace(String text, String actual, String logical, NameMapping names) {
    int at = text.indexOf(actual);
    if (at < 0 || actual.isEmpty()) {
      return text;
    }
    var out = new StringBuilder(text.length());
    int copied = 0;
    for (; at >= 0; at = text.indexOf(actual, at + actual.length())) {
      int end = at + actual.length();
      if ((at > 0 && isWord(text.charAt(at - 1)))
          || (end < text.length() && isWord(text.charAt(end)))) {
        continue;
      }
      int qualifier = schemaStart(text, at, 0);
      if (qualifier >= 0 && isTable(text, qualifier, at, names)) {
        // a column that is called as some table is
        continue;
      }
      int schemaStart = schemaStart(text, at, copied);
      if (schemaStart >= 0) {
        boolean quoted = text.charAt(at - 1) == '`';
        out.append(text, copied, schemaStart).append(names.schema()).append(quoted ? "`.`" : ".");
      } else {
        out.append(text, copied, at);
      }
      out.append(logical);
      copied = end;
    }
    return out.append(text, copied, text.length()).toString();
  }

  /** Whether what qualifies a name is a table: {@code shop_0.t_order_3.t_item}. */
  private static boolean isTable(String text, int start, int name, NameMapping names) {
    if (text.startsWith(".", start - 1) || text.startsWith("`.`", start - 3)) {
      return true;
    }
    int end = text.charAt(name - 1) == '`' ? name - 3 : name - 1;
    String word = text.substring(start, end);
    return !word.equals(names.schema())
        && (names.tables().containsKey(word) || names.tables().containsValue(word));
  }

  /** Where the word starts that qualifies the name at {@code at}; -1 if there is none. */
  private static int schemaStart(String text, int at, int from) {
    int end;
    if (at >= 1 && text.charAt(at - 1) == '.') {
      end = at - 1;
    } else if (at >= 3 && text.startsWith("`.`", at - 3)) {
      end = at - 3;
    } else {
      return -1;
    }
    int start = end;
    while (start > from && isWord(text.charAt(start - 1))) {
      start--;
    }
    return start == end ? -1 : start;
  }

  private static boolean isWord(char character) {
    return Character.isLetterOrDigit(character) || character == '_' || character == '$';
  }
}
