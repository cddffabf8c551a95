package io.anabranch.frontend.show;

import io.anabranch.frontend.current.Answer;
import io.anabranch.frontend.response.LocalColumns;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedCommand;
import io.anabranch.frontend.statement.LikePattern;
import io.anabranch.protocol.compression.CompressionAlgorithm;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.syntax.ShownCondition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code SHOW [SESSION] STATUS}, by which clients make sure of TLS and compression, and count what
 * they prepare: it is the client's connection that counts, not the proxy's to a database, which
 * tells all the others.
 */
final class ShownStatus {

  private ShownStatus() {}

  /**
   * Whether the statement has been answered; what shows none of the session's own is not.
   *
   * @param behind the token behind STATUS
   */
  static boolean answer(SourceText source, int behind, Answer answer) {
    SqlTokens tokens = source.tokens();
    Session session = answer.session();
    if (ShownCondition.hasQuery(tokens)) {
      // it is planned, and every table in it looked at
      return false;
    }
    Map<String, String> own = own(session);
    List<ResultColumn> columns =
        LocalColumns.ofListing("SESSION_STATUS", session.deployment().isMariaDb());
    if (tokens.isWord(behind, "LIKE") && tokens.kind(behind + 1) == TokenKind.STRING) {
      String literal = tokens.text(behind + 1);
      String pattern = OwnVariables.unquoted(literal);
      boolean isOpen = pattern.equals(literal);
      if (isOpen || own.keySet().stream().noneMatch(name -> LikePattern.matches(name, pattern))) {
        return false;
      }
      String value = own.get(pattern.toLowerCase(Locale.ROOT));
      if (value != null && tokens.size() == behind + 2) {
        String name = pattern.toLowerCase(Locale.ROOT);
        answer.rows(columns, List.of(List.of(shown(name), value)));
        return true;
      }
    } else if (tokens.size() > behind && !tokens.isWord(behind, "WHERE")) {
      return false;
    }
    byte[] sql = source.bytes();
    answer.blocking(
        () -> {
          List<List<@Nullable String>> rows = replaced(ShownVariables.rows(session, sql), own);
          return () -> answer.rows(columns, rows);
        });
    return true;
  }

  private static List<List<@Nullable String>> replaced(
      List<List<@Nullable String>> rows, Map<String, String> own) {
    var replaced = new ArrayList<List<@Nullable String>>(rows.size());
    for (List<@Nullable String> row : rows) {
      String name = String.valueOf(row.getFirst());
      String value = own.get(name.toLowerCase(Locale.ROOT));
      replaced.add(value == null ? row : List.of(name, value));
    }
    return replaced;
  }

  /** By name, in lower case. */
  private static Map<String, String> own(Session session) {
    CompressionAlgorithm algorithm = CompressionAlgorithm.negotiated(session.capabilities());
    var own = new HashMap<String, String>();
    own.put("ssl_cipher", TlsStatus.cipher(session));
    own.put("ssl_version", TlsStatus.version(session));
    own.put("compression", algorithm == null ? "OFF" : "ON");
    for (PreparedCommand command : PreparedCommand.values()) {
      long count = session.statements().counted(command);
      own.put(command.variable().toLowerCase(Locale.ROOT), Long.toString(count));
    }
    if (!session.deployment().isMariaDb()) {
      String name = algorithm == null ? "" : algorithm.name().toLowerCase(Locale.ROOT);
      own.put("compression_algorithm", name);
    }
    return own;
  }

  private static String shown(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
