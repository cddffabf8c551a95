package io.anabranch.backend.merge;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.plan.NodeConstraints;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TextEdits;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns the text of SHOW CREATE TABLE for an actual table into that of its logical table: the names
 * of tables, and of constraints, which have the actual table's name behind their own. Columns and
 * comments stay as they are.
 */
final class CreateStatement {

  private static final String TABLE = "CREATE TABLE `";
  private static final String VIEW = " VIEW `";
  private static final String CONSTRAINT = "  CONSTRAINT `";
  private static final String REFERENCES = ") REFERENCES `";
  private static final String KEY = "  KEY `";

  private final Map<String, String> tables;

  /**
   * @param tables actual name to logical name
   */
  CreateStatement(Map<String, String> tables) {
    this.tables = tables;
  }

  String logical(String statement) {
    if (statement.contains(VIEW) && !statement.startsWith(TABLE)) {
      return view(statement);
    }
    int end = statement.startsWith(TABLE) ? statement.indexOf('`', TABLE.length()) : -1;
    if (end < 0) {
      return statement;
    }
    String actual = statement.substring(TABLE.length(), end);
    if (!tables.containsKey(actual)) {
      return statement;
    }
    Map<String, String> renamed = constraints(statement, actual);
    var text = new StringBuilder(statement.length());
    String separator = "";
    for (String line : statement.split("\n", -1)) {
      text.append(separator).append(line(line, renamed));
      separator = "\n";
    }
    return text.toString();
  }

  /** {@code `t_order_0` `t_order`} is plainly {@code `t_order`} to the client. */
  private String view(String statement) {
    SqlTokens tokens = SqlTokens.of(statement);
    var text = new TextEdits(statement, tokens);
    tokens
        .all()
        .walk(
            token -> {
              String logical = isQuoted(tokens, token) ? tables.get(tokens.name(token)) : null;
              if (logical == null) {
                return token + 1;
              }
              boolean isAliased =
                  isQuoted(tokens, token + 1) && tokens.name(token + 1).equals(logical);
              int behind = token + (isAliased ? 2 : 1);
              text.replace(token, behind, TableNames.quoted(logical));
              return behind;
            });
    return text.text();
  }

  private static boolean isQuoted(SqlTokens tokens, int token) {
    return tokens.kind(token) == TokenKind.QUOTED;
  }

  /** Logical names by those on the node: a foreign key's index is called like its constraint. */
  private Map<String, String> constraints(String statement, String actual) {
    var names = new HashMap<String, String>();
    String logical = tables.getOrDefault(actual, actual);
    for (String line : statement.split("\n", -1)) {
      if (line.startsWith(CONSTRAINT)) {
        String name = nameAt(line, CONSTRAINT.length());
        names.put(name, NodeConstraints.logical(name, actual, logical));
      }
    }
    return names;
  }

  private String line(String line, Map<String, String> renamed) {
    if (line.startsWith(TABLE)) {
      return table(line, TABLE.length());
    }
    String start = line.startsWith(CONSTRAINT) ? CONSTRAINT : KEY;
    if (!line.startsWith(start)) {
      return line;
    }
    String name = nameAt(line, start.length());
    String own = renamed.getOrDefault(name, name);
    String text = start + own + line.substring(start.length() + name.length());
    int reference = start.equals(CONSTRAINT) ? text.indexOf(REFERENCES) : -1;
    return reference < 0 ? text : table(text, reference + REFERENCES.length());
  }

  /** The text with the logical name in the place of the table's at {@code from}. */
  private String table(String text, int from) {
    String actual = nameAt(text, from);
    String logical = tables.getOrDefault(actual, actual);
    return text.substring(0, from) + logical + text.substring(from + actual.length());
  }

  /** A name up to the quote that ends it. */
  private static String nameAt(String text, int from) {
    return text.substring(from, text.indexOf('`', from));
  }
}
