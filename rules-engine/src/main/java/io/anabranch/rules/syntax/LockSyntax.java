package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.sql.TableNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * LOCK TABLES or FLUSH TABLES, read.
 *
 * @param head up to the first table
 * @param tables empty where none is named
 * @param tail behind the last table
 * @param stays whether what it does lasts until UNLOCK TABLES
 */
public record LockSyntax(String head, List<Lock> tables, String tail, boolean stays) {

  private static final String READ = " READ";
  private static final String WRITE = " WRITE";

  /** All that there are; which of them a server takes, it says itself. The longest first. */
  private static final List<List<String>> TYPES =
      List.of(
          List.of("READ", "LOCAL"),
          List.of("READ"),
          List.of("LOW_PRIORITY", "WRITE"),
          List.of("WRITE", "CONCURRENT"),
          List.of("WRITE"));

  /**
   * @param alias the table's name if it has none
   * @param type how it is locked, with a blank in front; empty in FLUSH
   */
  public record Lock(TableMention table, String alias, boolean isAliased, String type) {

    /** An actual table in the place of this one. */
    public String text(String actual) {
      String name = TableNames.quotedIfNeeded(actual);
      return isAliased ? name + " AS " + TableNames.quoted(alias) : name;
    }
  }

  public static LockSyntax read(SourceText source) {
    return source.tokens().isWord(0, "FLUSH") ? flush(source) : lock(source);
  }

  /** FLUSH TABLES WITH READ LOCK, FLUSH TABLES t FOR EXPORT. */
  public static boolean isReadLock(SqlTokens tokens) {
    return tokens.from(2).hasWord("WITH", "EXPORT");
  }

  /** The type that allows what both allow. */
  public static String stronger(String left, String right) {
    if (left.equals(right)) {
      return left;
    }
    return left.contains(WRITE) || right.contains(WRITE) ? WRITE : READ;
  }

  /** The statement for a data source. */
  public String text(Map<String, String> typeOfTable) {
    return typeOfTable.entrySet().stream()
        .map(entry -> entry.getKey() + entry.getValue())
        .collect(Collectors.joining(", ", head, tail));
  }

  private static LockSyntax lock(SourceText source) {
    SqlTokens tokens = source.tokens();
    var tables = new ArrayList<Lock>();
    int at = 2;
    do {
      at = tables.isEmpty() ? at : at + 1;
      TableMention table = TableMention.at(source, at);
      at = table.behind();
      at += tokens.isWord(at, "AS") ? 1 : 0;
      boolean aliased = tokens.isName(at) && !startsType(tokens, at);
      String alias = aliased ? tokens.name(at++) : table.name();
      List<String> type = type(source, at);
      at += type.size();
      tables.add(new Lock(table, alias, aliased, " " + String.join(" ", type)));
      if (at < tokens.size() && !tokens.isPunctuation(at, ',') && !isWait(tokens, at)) {
        throw TableMention.syntaxError(source, at);
      }
    } while (tokens.isPunctuation(at, ','));
    return new LockSyntax("LOCK TABLES ", tables, rest(source, at), true);
  }

  private static boolean startsType(SqlTokens tokens, int at) {
    return tokens.isWord(at, "READ")
        || tokens.isWord(at, "WRITE")
        || tokens.isWord(at, "LOW_PRIORITY");
  }

  private static boolean isWait(SqlTokens tokens, int at) {
    return tokens.isWord(at, "WAIT") || tokens.isWord(at, "NOWAIT");
  }

  private static List<String> type(SourceText source, int at) {
    SqlTokens tokens = source.tokens();
    for (List<String> type : TYPES) {
      boolean isThere = true;
      for (int i = 0; i < type.size() && isThere; i++) {
        isThere = tokens.isWord(at + i, type.get(i));
      }
      if (isThere) {
        return type;
      }
    }
    throw TableMention.syntaxError(source, tokens.isWord(at, "LOW_PRIORITY") ? at + 1 : at);
  }

  private static LockSyntax flush(SourceText source) {
    SqlTokens tokens = source.tokens();
    int object = tokens.isWord(1, "LOCAL") || tokens.isWord(1, "NO_WRITE_TO_BINLOG") ? 2 : 1;
    var tables = new ArrayList<Lock>();
    int at = object + 1;
    boolean ofTables = tokens.isWord(object, "TABLES") || tokens.isWord(object, "TABLE");
    if (ofTables && tokens.isName(at) && !tokens.isWord(at, "WITH") && !tokens.isWord(at, "FOR")) {
      TableMention table = TableMention.at(source, at);
      tables.add(new Lock(table, table.name(), false, ""));
      while (tokens.isPunctuation(table.behind(), ',')) {
        table = TableMention.at(source, table.behind() + 1);
        tables.add(new Lock(table, table.name(), false, ""));
      }
      at = table.behind();
    }
    String head = source.text().substring(0, tokens.end(object)) + " ";
    return new LockSyntax(head, tables, rest(source, at), isReadLock(tokens));
  }

  private static String rest(SourceText source, int from) {
    SqlTokens tokens = source.tokens();
    return from < tokens.size()
        ? " " + source.text().substring(tokens.start(from), tokens.end(tokens.size() - 1))
        : "";
  }
}
