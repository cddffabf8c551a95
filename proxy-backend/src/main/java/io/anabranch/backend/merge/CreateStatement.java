package io.anabranch.backend.merge;

import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementCharset;
import io.anabranch.rules.plan.NodeConstraints;
import io.anabranch.rules.syntax.TextEdits;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Turns the text of SHOW CREATE TABLE for an actual table into that of its logical table: the names
 * of tables, and of constraints, which have the actual table's name behind their own. Columns and
 * comments stay as they are. Names are quoted as the session wants it: {@code ANSI_QUOTES} and
 * {@code sql_quote_show_create}.
 */
final class CreateStatement {

  private static final String TABLE = "CREATE TABLE ";
  private static final Pattern VIEW = Pattern.compile("^CREATE (?:[^(]*? )?VIEW [^(]");
  private static final String CONSTRAINT = "  CONSTRAINT ";
  private static final String REFERENCES = ") REFERENCES ";
  private static final String KEY = "  KEY ";

  private final Map<String, String> tables;

  /**
   * @param tables actual name to logical name
   */
  CreateStatement(Map<String, String> tables) {
    this.tables = tables;
  }

  String logical(String statement) {
    if (!statement.startsWith(TABLE)) {
      return VIEW.matcher(statement).find() ? view(statement) : statement;
    }
    String actual = nameAt(statement, TABLE.length());
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
    LexerMode mode =
        LexerMode.of(StatementCharset.of(StandardCharsets.UTF_8), hasAnsiQuotes(statement), false);
    SqlTokens tokens = SourceText.of(statement, mode).tokens();
    var text = new TextEdits(statement, tokens);
    tokens
        .all()
        .walk(
            token -> {
              String logical = tokens.isName(token) ? tables.get(tokens.name(token)) : null;
              if (logical == null) {
                return token + 1;
              }
              boolean isAliased =
                  tokens.isName(token + 1) && tokens.name(token + 1).equals(logical);
              int behind = token + (isAliased ? 2 : 1);
              String written = tokens.text(token);
              text.replace(token, behind, written.replace(tokens.name(token), logical));
              return behind;
            });
    return text.text();
  }

  /**
   * Whether the first name in quotes has double ones; texts, which have single ones, say nothing.
   */
  private static boolean hasAnsiQuotes(String statement) {
    boolean isText = false;
    for (int i = 0; i < statement.length(); i++) {
      char unit = statement.charAt(i);
      if (unit == '\'') {
        isText = !isText;
      } else if (isText && unit == '\\') {
        i++;
      } else if (!isText && isQuote(statement, i)) {
        return unit == '"';
      }
    }
    return false;
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
    String text = renamed(line, start.length(), own);
    int reference = start.equals(CONSTRAINT) ? text.indexOf(REFERENCES) : -1;
    return reference < 0 ? text : table(text, reference + REFERENCES.length());
  }

  /** The text with the logical name in the place of the table's at {@code from}. */
  private String table(String text, int from) {
    String actual = nameAt(text, from);
    return renamed(text, from, tables.getOrDefault(actual, actual));
  }

  /** The text with another name in the place of the one at {@code from}. */
  private static String renamed(String text, int from, String name) {
    int first = isQuote(text, from) ? from + 1 : from;
    String quote = isQuote(text, from) ? text.substring(from, first) : "";
    String written = quote.isEmpty() ? name : name.replace(quote, quote + quote);
    return text.substring(0, first) + written + text.substring(behindName(text, from));
  }

  /** A name without its quotes. */
  private static String nameAt(String text, int from) {
    String written = text.substring(isQuote(text, from) ? from + 1 : from, behindName(text, from));
    String quote = isQuote(text, from) ? text.substring(from, from + 1) : "";
    return quote.isEmpty() ? written : written.replace(quote + quote, quote);
  }

  /** Where the name ends, in front of its closing quote. */
  private static int behindName(String text, int from) {
    if (isQuote(text, from)) {
      char quote = text.charAt(from);
      int end = text.indexOf(quote, from + 1);
      while (end >= 0 && end + 1 < text.length() && text.charAt(end + 1) == quote) {
        end = text.indexOf(quote, end + 2);
      }
      return end < 0 ? text.length() : end;
    }
    int end = from;
    while (end < text.length() && isNamePart(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isNamePart(char unit) {
    return SqlTokens.isNamePart(unit);
  }

  private static boolean isQuote(String text, int at) {
    return at < text.length() && (text.charAt(at) == '`' || text.charAt(at) == '"');
  }
}
