package io.anabranch.rules.planner;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables that a DDL or maintenance statement names, found by tokens.
 *
 * @param tables the objects of the statement, in order; empty if it is not about tables
 * @param others tables that are only referred to: LIKE, REFERENCES
 * @param creates whether the statement makes its table
 * @param list whether the statement takes a list of tables and does the same to each
 */
record DdlSyntax(
    List<TableMention> tables, List<TableMention> others, boolean creates, boolean list) {

  static DdlSyntax read(SourceText source) {
    return new Reader(source).read();
  }

  private static final class Reader {

    private final SourceText source;
    private final SqlTokens tokens;
    private final List<TableMention> tables = new ArrayList<>();
    private final List<TableMention> others = new ArrayList<>();

    Reader(SourceText source) {
      this.source = source;
      this.tokens = source.tokens();
    }

    DdlSyntax read() {
      int verb = 0;
      while (verb < tokens.size() && tokens.text(verb).startsWith("/*")) {
        verb++;
      }
      if (tokens.isWord(verb, "TRUNCATE") && !tokens.isWord(verb + 1, "TABLE")) {
        tables.add(TableMention.at(source, verb + 1));
        return done(false, false);
      }
      int object = object(verb + 1);
      if (tokens.isWord(object, "INDEX")) {
        return index(object);
      }
      if (!tokens.isWord(object, "TABLE") && !tokens.isWord(object, "TABLES")) {
        return done(false, false);
      }
      int name = behindCondition(object + 1);
      boolean list =
          !tokens.isWord(verb, "CREATE")
              && !tokens.isWord(verb, "ALTER")
              && !tokens.isWord(verb, "RENAME");
      names(name, list);
      if (tokens.isWord(verb, "CREATE") || tokens.isWord(verb, "ALTER")) {
        references(tables.getFirst().behind());
      }
      if (tokens.isWord(verb, "RENAME")) {
        renamed(tables.getFirst().behind());
      }
      return done(tokens.isWord(verb, "CREATE"), list);
    }

    private DdlSyntax done(boolean creates, boolean list) {
      return new DdlSyntax(List.copyOf(tables), List.copyOf(others), creates, list);
    }

    /** Behind the words that may stand between the verb and what it is done to. */
    private int object(int from) {
      int at = from;
      while (tokens.isWord(at, "OR")
          || tokens.isWord(at, "REPLACE")
          || tokens.isWord(at, "TEMPORARY")
          || tokens.isWord(at, "IGNORE")
          || tokens.isWord(at, "ONLINE")
          || tokens.isWord(at, "UNIQUE")
          || tokens.isWord(at, "FULLTEXT")
          || tokens.isWord(at, "SPATIAL")
          || tokens.isWord(at, "LOCAL")
          || tokens.isWord(at, "NO_WRITE_TO_BINLOG")) {
        at++;
      }
      return at;
    }

    private int behindCondition(int from) {
      int at = from;
      while (tokens.isWord(at, "IF") || tokens.isWord(at, "NOT") || tokens.isWord(at, "EXISTS")) {
        at++;
      }
      return at;
    }

    private DdlSyntax index(int object) {
      for (int i = object + 1; i < tokens.size(); i++) {
        if (tokens.isWord(i, "ON") && !tokens.isPunctuation(i - 1, '.')) {
          tables.add(TableMention.at(source, i + 1));
          return done(false, false);
        }
      }
      throw TableMention.syntaxError(source, tokens.size());
    }

    private void names(int first, boolean list) {
      TableMention mention = TableMention.at(source, first);
      tables.add(mention);
      while (list && tokens.isPunctuation(mention.behind(), ',')) {
        mention = TableMention.at(source, mention.behind() + 1);
        tables.add(mention);
      }
    }

    private void references(int from) {
      for (int i = from; i < tokens.size(); i++) {
        boolean like = tokens.isWord(i, "LIKE") && (i == from || i == from + 1);
        if ((like || tokens.isWord(i, "REFERENCES")) && tokens.isName(i + 1)) {
          others.add(TableMention.at(source, i + 1));
        }
      }
    }

    /** {@code a TO b, c TO d}. */
    private void renamed(int from) {
      for (int i = from; i < tokens.size(); i++) {
        if (tokens.isWord(i, "TO") || tokens.isPunctuation(i, ',')) {
          others.add(TableMention.at(source, i + 1));
          i = others.getLast().behind() - 1;
        }
      }
    }
  }
}
