package io.anabranch.frontend.statement;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.value.Literals;
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

  /**
   * Reads the text of a variable token.
   *
   * @param mode that the token was read by
   */
  public static VariableName of(String token, LexerMode mode) {
    if (!token.startsWith("@@")) {
      String user = Literals.name(token.substring(1), mode);
      return new VariableName(true, null, user.toLowerCase(Locale.ROOT));
    }
    String name = Literals.name(token.substring(2), mode).toLowerCase(Locale.ROOT);
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
    return new VariableName(false, scope, scope == null ? name : name.substring(dot + 1));
  }

  /** A system variable as {@code @@name} or {@code @@session.name}, in lower case. */
  public String text() {
    return "@@" + (scope == null ? "" : scope.name().toLowerCase(Locale.ROOT) + ".") + name;
  }
}
