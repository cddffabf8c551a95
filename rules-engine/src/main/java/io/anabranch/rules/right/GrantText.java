package io.anabranch.rules.right;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads grants as people write them: {@code SELECT, INSERT ON shop.orders}. */
public final class GrantText {

  private static final String NAME = "(`(?:[^`]|``)+`|[^`.\\s]+)";

  private static final Pattern GRANT =
      Pattern.compile(
          "(?:GRANT\\s+)?(.+?)\\s+ON\\s+" + NAME + "\\." + NAME, Pattern.CASE_INSENSITIVE);

  private GrantText() {}

  /**
   * @param text with or without the word GRANT in front
   */
  public static Grant parse(String text) throws GrantSyntaxException {
    Matcher parts = GRANT.matcher(text.strip());
    if (!parts.matches()) {
      throw new GrantSyntaxException(
          "`" + text + "` is no grant", "write SELECT, INSERT ON shop.orders, or READ ON shop.*");
    }
    Set<Privilege> privileges = EnumSet.noneOf(Privilege.class);
    for (String words : parts.group(1).split(",", -1)) {
      Set<Privilege> named = Privilege.named(words);
      if (named == null) {
        throw new GrantSyntaxException(
            "there is no privilege `" + words.strip() + "`", "there are " + all());
      }
      privileges.addAll(named);
    }
    String database = unquoted(parts.group(2));
    String table = unquoted(parts.group(3));
    if (database.equals(Grant.ANY) && !table.equals(Grant.ANY)) {
      throw new GrantSyntaxException("a table of all databases", "write *.*, or name the database");
    }
    return new Grant(privileges, database, table);
  }

  private static String all() {
    return Stream.concat(
            Stream.of("READ", "WRITE", "DDL", "ALL"),
            Stream.of(Privilege.values()).map(Privilege::words))
        .collect(Collectors.joining(", "));
  }

  private static String unquoted(String name) {
    return name.startsWith("`") ? name.substring(1, name.length() - 1).replace("``", "`") : name;
  }
}
