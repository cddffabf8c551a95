package io.anabranch.backend.prepared;

import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.VariableValue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Types of the user variables that a text mentions: a server that keeps types keeps theirs from
 * where it prepares the text.
 */
public final class VariableTypes {

  private VariableTypes() {}

  /**
   * @param sql in a character set that has ASCII
   * @param settings of which the user variables count
   * @return the same for the same types; empty where the text mentions none
   */
  public static String in(byte[] sql, SessionSettings settings) {
    SqlTokens tokens = SqlTokens.of(new String(sql, StandardCharsets.ISO_8859_1));
    var types = new StringBuilder();
    for (int token : tokens.all().where(each -> tokens.kind(each) == TokenKind.VARIABLE)) {
      if (!tokens.text(token).startsWith("@@")) {
        String name = key(tokens.text(token));
        VariableValue value = settings.userVariables().get(name);
        types.append(name).append('=').append(value == null ? "" : value.type()).append(';');
      }
    }
    return types.toString();
  }

  /** As settings have it. */
  private static String key(String variable) {
    String name = variable.substring(1).toLowerCase(Locale.ROOT);
    boolean isQuoted = name.length() > 1 && "`'\"".indexOf(name.charAt(0)) >= 0;
    return "@`" + (isQuoted ? name.substring(1, name.length() - 1) : name) + "`";
  }
}
