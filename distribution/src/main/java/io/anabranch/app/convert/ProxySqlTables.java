package io.anabranch.app.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * ProxySQL's tables out of a dump ({@code INSERT INTO mysql_servers … VALUES …}) or out of {@code
 * proxysql.cnf} ({@code mysql_servers = ( { … }, … )}).
 */
final class ProxySqlTables {

  /** In the order of ProxySQL's tables, for INSERT without columns. */
  private static final Map<String, List<String>> COLUMNS =
      Map.of(
          "mysql_servers",
          List.of(
              "hostgroup_id",
              "hostname",
              "port",
              "gtid_port",
              "status",
              "weight",
              "compression",
              "max_connections",
              "max_replication_lag",
              "use_ssl",
              "max_latency_ms",
              "comment"),
          "mysql_users",
          List.of(
              "username",
              "password",
              "active",
              "use_ssl",
              "default_hostgroup",
              "default_schema",
              "schema_locked",
              "transaction_persistent",
              "fast_forward",
              "backend",
              "frontend",
              "max_connections",
              "attributes",
              "comment"),
          "mysql_replication_hostgroups",
          List.of("writer_hostgroup", "reader_hostgroup", "check_type", "comment"),
          "mysql_query_rules",
          List.of(
              "rule_id",
              "active",
              "username",
              "schemaname",
              "flagin",
              "client_addr",
              "proxy_addr",
              "proxy_port",
              "digest",
              "match_digest",
              "match_pattern",
              "negate_match_pattern",
              "re_modifiers",
              "flagout",
              "replace_pattern",
              "destination_hostgroup",
              "cache_ttl",
              "cache_empty_result",
              "cache_timeout",
              "reconnect",
              "timeout",
              "retries",
              "delay",
              "next_query_flagin",
              "mirror_flagout",
              "mirror_hostgroup",
              "error_msg",
              "ok_msg",
              "sticky_conn",
              "multiplex",
              "gtid_from_hostgroup",
              "log",
              "apply",
              "attributes",
              "comment"));

  /** What proxysql.cnf calls otherwise than the tables. */
  private static final Map<String, String> OTHER_NAMES =
      Map.of("address", "hostname", "host", "hostname", "hostgroup", "hostgroup_id");

  private static final Set<String> OF_SQL = Set.of("insert", "replace");

  /** No text of a dump is this one. */
  private static final String NULL = "\u0000NULL";

  private final String file;
  private final List<Token> tokens;
  private final Map<String, List<ProxySqlRow>> rows = new TreeMap<>();
  private int next;

  /**
   * A word, a sign or a text.
   *
   * @param isText whether it was quoted
   */
  private record Token(String text, boolean isText, int line) {}

  private ProxySqlTables(String file, List<Token> tokens) {
    this.file = file;
    this.tokens = tokens;
  }

  /**
   * Rows by table.
   *
   * @throws ConversionException if it cannot be read, or is neither
   */
  static Map<String, List<ProxySqlRow>> read(Path path) throws ConversionException {
    String file = String.valueOf(path.getFileName());
    try {
      var tables = new ProxySqlTables(file, tokens(file, Files.readString(path)));
      tables.readAll();
      return tables.rows;
    } catch (IOException e) {
      throw new ConversionException(path + " cannot be read: " + e, e);
    }
  }

  private void readAll() throws ConversionException {
    while (next < tokens.size()) {
      Token first = take();
      String word = first.text().toLowerCase(Locale.ROOT);
      if (!first.isText() && OF_SQL.contains(word)) {
        insert();
      } else if (!first.isText() && word.startsWith("mysql_") && isNext("=", ":")) {
        next++;
        if (isNext("(")) {
          list(word);
        }
      }
    }
  }

  // ---------------------------------------------------------------- SQL

  private void insert() throws ConversionException {
    while (next < tokens.size() && !isNext("into")) {
      next++;
    }
    next++;
    Token name = take();
    while (isNext(".")) {
      next++;
      name = take();
    }
    String table = name.text().toLowerCase(Locale.ROOT);
    List<String> columns = COLUMNS.getOrDefault(table, List.of());
    if (isNext("(")) {
      columns =
          values().stream().map(text -> String.valueOf(text).toLowerCase(Locale.ROOT)).toList();
    }
    expect("values");
    do {
      int line = tokens.get(Math.min(next, tokens.size() - 1)).line();
      List<String> values = values();
      var row = new LinkedHashMap<String, String>();
      for (int i = 0; i < values.size(); i++) {
        String column = i < columns.size() ? columns.get(i) : "column " + (i + 1);
        if (!values.get(i).equals(NULL)) {
          row.put(column, values.get(i));
        }
      }
      add(table, line, row);
    } while (isNext(",") && isTaken(","));
  }

  private List<String> values() throws ConversionException {
    var values = new ArrayList<String>();
    expect("(");
    while (!isTaken(")")) {
      Token token = take();
      boolean isNull = !token.isText() && token.text().equalsIgnoreCase("null");
      values.add(isNull ? NULL : token.text());
      isTaken(",");
    }
    return values;
  }

  // ---------------------------------------------------------------- libconfig

  private void list(String table) throws ConversionException {
    expect("(");
    while (!isTaken(")")) {
      int line = take("{").line();
      var row = new LinkedHashMap<String, String>();
      while (!isTaken("}")) {
        String column = take().text().toLowerCase(Locale.ROOT);
        if (!isTaken("=")) {
          expect(":");
        }
        row.put(OTHER_NAMES.getOrDefault(column, column), take().text());
        if (!isTaken(",")) {
          isTaken(";");
        }
      }
      isTaken(",");
      add(table, line, row);
    }
  }

  // ---------------------------------------------------------------- tokens

  private void add(String table, int line, Map<String, String> row) {
    rows.computeIfAbsent(table, _ -> new ArrayList<>())
        .add(new ProxySqlRow(file + ":" + line, row));
  }

  private boolean isNext(String... texts) {
    if (next >= tokens.size() || tokens.get(next).isText()) {
      return false;
    }
    String text = tokens.get(next).text();
    for (String wanted : texts) {
      if (text.equalsIgnoreCase(wanted)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTaken(String text) throws ConversionException {
    if (next >= tokens.size()) {
      throw new ConversionException(file + " ends in the middle of a list");
    }
    if (isNext(text)) {
      next++;
      return true;
    }
    return false;
  }

  private void expect(String text) throws ConversionException {
    take(text);
  }

  private Token take(String text) throws ConversionException {
    boolean isIt = isNext(text);
    Token token = take();
    if (!isIt) {
      throw new ConversionException(
          file + ":" + token.line() + ": `" + token.text() + "` where " + text + " belongs");
    }
    return token;
  }

  private Token take() throws ConversionException {
    if (next >= tokens.size()) {
      throw new ConversionException(file + " ends too early");
    }
    return tokens.get(next++);
  }

  private static List<Token> tokens(String file, String text) throws ConversionException {
    var tokens = new ArrayList<Token>();
    int line = 1;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n') {
        line++;
        at++;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else if (c == '#' || text.startsWith("--", at) || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at);
        String comment = text.substring(at, end < 0 ? text.length() : end + 2);
        line += (int) comment.chars().filter(each -> each == '\n').count();
        at += comment.length();
      } else if (c == '\'' || c == '"' || c == '`') {
        var quoted = new StringBuilder();
        int start = line;
        at++;
        while (true) {
          if (at >= text.length()) {
            throw new ConversionException(file + ":" + start + ": a quote is not closed");
          }
          char q = text.charAt(at++);
          if (q == c && at < text.length() && text.charAt(at) == c) {
            at++;
          } else if (q == c) {
            break;
          } else if (q == '\\' && c == '"' && at < text.length()) {
            q = text.charAt(at++);
            if (q != '\\' && q != '"') {
              quoted.append('\\');
            }
          }
          line += q == '\n' ? 1 : 0;
          quoted.append(q);
        }
        tokens.add(new Token(quoted.toString(), c != '`', start));
      } else if (Character.isLetterOrDigit(c) || c == '_' || c == '-') {
        int end = at + 1;
        while (end < text.length()
            && (Character.isLetterOrDigit(text.charAt(end))
                || "_-".indexOf(text.charAt(end)) >= 0)) {
          end++;
        }
        tokens.add(new Token(text.substring(at, end), false, line));
        at = end;
      } else {
        tokens.add(new Token(String.valueOf(c), false, line));
        at++;
      }
    }
    return tokens;
  }
}
