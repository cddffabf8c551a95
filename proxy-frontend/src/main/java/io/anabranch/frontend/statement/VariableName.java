package io.anabranch.frontend.statement;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code @name}, {@code @'name'}, {@code @@name} or {@code @@scope.name}, taken apart.
 *
 * @param user a user variable
 * @param scope null where none is said
 * @param name lower case, without signs, quotes and scope
 */
public record VariableName(boolean user, SetStatement.@Nullable Scope scope, String name) {

  /** Reads the text of a variable token. */
  public static VariableName of(String token) {
    if (!token.startsWith("@@")) {
      return new VariableName(true, null, unquote(token.substring(1)).toLowerCase(Locale.ROOT));
    }
    String name = unquote(token.substring(2)).toLowerCase(Locale.ROOT);
    int dot = name.indexOf('.');
    if (dot < 0) {
      return new VariableName(false, null, name);
    }
    SetStatement.Scope scope =
        switch (name.substring(0, dot)) {
          case "session", "local" -> SetStatement.Scope.SESSION;
          case "global" -> SetStatement.Scope.GLOBAL;
          case "persist", "persist_only" -> SetStatement.Scope.PERSIST;
          default -> null;
        };
    // @@cache_name.key_buffer_size: structured variables keep their first part
    return new VariableName(false, scope, scope == null ? name : unquote(name.substring(dot + 1)));
  }

  /** A system variable as {@code @@name} or {@code @@session.name}, in lower case. */
  public String text() {
    return "@@" + (scope == null ? "" : scope.name().toLowerCase(Locale.ROOT) + ".") + name;
  }

  private static String unquote(String name) {
    if (name.length() < 2 || "'\"`".indexOf(name.charAt(0)) < 0) {
      return name;
    }
    char quote = name.charAt(0);
    var plain = new StringBuilder(name.length());
    for (int i = 1; i < name.length() - 1; i++) {
      char c = name.charAt(i);
      boolean isMark = c == quote || (c == '\\' && quote != '`');
      // the second one of a doubled quote, or what is escaped
      i = isMark && i + 1 < name.length() - 1 ? i + 1 : i;
      plain.append(name.charAt(i));
    }
    return plain.toString();
  }
}
