package io.anabranch.rules.syntax;

import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.plan.LockedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables that a DDL or maintenance statement names, found by tokens.
 *
 * @param tables the objects of the statement, in order; empty if it is not about tables
 * @param others tables that are only referred to: LIKE, REFERENCES
 * @param joined tables whose rows become the table's, or its rows theirs: EXCHANGE PARTITION … WITH
 *     TABLE, CONVERT TABLE, CONVERT PARTITION … TO TABLE, and UNION of MERGE tables
 * @param renamed the new names of the tables, in their order: of RENAME TABLE, and one of ALTER
 *     TABLE … RENAME; empty for all others
 * @param creates whether the statement makes its table
 * @param list whether the statement takes a list of tables and does the same to each
 */
public record DdlSyntax(
    List<TableMention> tables,
    List<TableMention> others,
    List<TableMention> joined,
    List<TableMention> renamed,
    boolean creates,
    boolean list) {

  /** Words that no column's definition begins with. */
  private static final Set<String> KEYS =
      Set.of(
          "CONSTRAINT",
          "PRIMARY",
          "UNIQUE",
          "KEY",
          "INDEX",
          "FULLTEXT",
          "SPATIAL",
          "FOREIGN",
          "CHECK",
          "PERIOD");

  public static DdlSyntax read(SourceText source) {
    return new Reader(source).read();
  }

  /**
   * All tables that have, or show, rows of one another afterwards, the new name of the altered one
   * included; empty: the statement brings none together.
   */
  public List<TableMention> together() {
    return joined.isEmpty()
        ? List.of()
        : Stream.of(tables, joined, renamed).flatMap(List::stream).toList();
  }

  /** What brings the {@link #joined} tables to the statement's own, as messages call it. */
  public String joining(SqlTokens tokens) {
    int word = tokens.all().findWord("EXCHANGE", "CONVERT", "UNION");
    return tokens.isWord(word, "EXCHANGE")
        ? "EXCHANGE PARTITION"
        : tokens.text(word).toUpperCase(Locale.ROOT);
  }

  /** Whether the statement says IF EXISTS in front of its tables. */
  public boolean isConditional(SqlTokens tokens) {
    return tokens.isWord(tables.getFirst().first() - 1, "EXISTS");
  }

  /**
   * What a session has locked when its tables have their new names.
   *
   * @return null where it has locked nothing
   */
  public @Nullable LockedTables lockedAfterwards(LockedTables locks) {
    if (locks.isEmpty()) {
      return null;
    }
    LockedTables after = locks;
    for (int i = 0; i < tables.size(); i++) {
      // of several new names in an ALTER TABLE the last one counts
      int name = tables.size() == 1 ? renamed.size() - 1 : i;
      after = after.renamed(tables.get(i).name(), renamed.get(name).name());
    }
    return after;
  }

  /** RENAME TABLE: whether it says how long a lock is waited for, as MariaDB alone does. */
  public boolean waits(SqlTokens tokens) {
    for (int i = 0; i < renamed.size() && i < tables.size(); i++) {
      if (!tokens.isWord(tables.get(i).behind(), "TO")) {
        return true;
      }
    }
    return false;
  }

  /** Whether one of the definitions of a table is no column's: a key, or what rows must be like. */
  public static boolean isKey(SqlTokens tokens, int first) {
    return KEYS.contains(tokens.word(first));
  }

  private static final class Reader {

    private final SourceText source;
    private final SqlTokens tokens;
    private final List<TableMention> tables = new ArrayList<>();
    private final List<TableMention> others = new ArrayList<>();
    private final List<TableMention> joined = new ArrayList<>();
    private final List<TableMention> renamed = new ArrayList<>();

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
      int name = TableMention.behindCondition(tokens, object + 1);
      if (tokens.isWord(verb, "RENAME")) {
        pairs(name);
        return done(false, false);
      }
      boolean list = !tokens.isWord(verb, "CREATE") && !tokens.isWord(verb, "ALTER");
      names(name, list);
      if (tokens.isWord(verb, "CREATE") || tokens.isWord(verb, "ALTER")) {
        references(tables.getFirst().behind());
        united(tables.getFirst().behind());
      }
      if (tokens.isWord(verb, "ALTER")) {
        alteredName(tables.getFirst().behind());
        moved(tables.getFirst().behind());
      }
      return done(tokens.isWord(verb, "CREATE"), list);
    }

    private DdlSyntax done(boolean creates, boolean list) {
      return new DdlSyntax(
          List.copyOf(tables),
          List.copyOf(others),
          List.copyOf(joined),
          List.copyOf(renamed),
          creates,
          list);
    }

    /** Behind the words that may stand between the verb and what it is done to. */
    private int object(int from) {
      return tokens
          .from(from)
          .skipWords(
              "OR",
              "REPLACE",
              "TEMPORARY",
              "IGNORE",
              "ONLINE",
              "UNIQUE",
              "FULLTEXT",
              "SPATIAL",
              "VECTOR",
              "LOCAL",
              "NO_WRITE_TO_BINLOG");
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
      tables.addAll(
          list ? TableMention.list(source, first) : List.of(TableMention.at(source, first)));
    }

    private void references(int from) {
      for (int i = from; i < tokens.size(); i++) {
        boolean like = tokens.isWord(i, "LIKE") && (i == from || i == from + 1);
        if ((like || tokens.isWord(i, "REFERENCES")) && tokens.isName(i + 1)) {
          others.add(TableMention.at(source, i + 1));
        }
      }
    }

    /** What ALTER TABLE calls a TABLE besides itself; the word is reserved. */
    private void moved(int from) {
      for (int word : tokens.from(from).words("TABLE")) {
        int name = TableMention.behindCondition(tokens, word + 1);
        if (tokens.depth(word) == 0 && !tokens.isPunctuation(word - 1, '.')) {
          joined.add(TableMention.at(source, name));
        }
      }
    }

    /** {@code UNION = (a, b)}, which is no query's. */
    private void united(int from) {
      for (int word : tokens.from(from).words("UNION")) {
        int open = tokens.isOperator(word + 1, "=") ? word + 2 : word + 1;
        boolean isList =
            tokens.depth(word) == 0
                && tokens.isPunctuation(open, '(')
                && tokens.isName(open + 1)
                && !tokens.isAnyWord(open + 1, "SELECT", "WITH", "VALUES", "TABLE");
        if (isList) {
          joined.addAll(TableMention.list(source, open + 1));
        }
      }
    }

    /** {@code a TO b, c WAIT 5 TO d}. */
    private void pairs(int first) {
      int next = first;
      do {
        TableMention table = TableMention.at(source, next);
        int to = table.behind();
        if (tokens.isWord(to, "NOWAIT")) {
          to++;
        } else if (tokens.isWord(to, "WAIT")) {
          to += 2;
        }
        if (!tokens.isWord(to, "TO")) {
          throw TableMention.syntaxError(source, to);
        }
        tables.add(table);
        renamed.add(TableMention.at(source, to + 1));
        next = renamed.getLast().behind() + 1;
      } while (tokens.isPunctuation(next - 1, ','));
    }

    /** {@code ALTER TABLE a …, RENAME TO b}: the last one counts, as for servers. */
    private void alteredName(int from) {
      for (int i = from; i < tokens.size(); i++) {
        if (renamesTable(tokens, i)) {
          boolean marked = tokens.isWord(i + 1, "TO") || tokens.isWord(i + 1, "AS");
          boolean equated = tokens.isOperator(i + 1, "=");
          renamed.add(TableMention.at(source, i + (marked || equated ? 2 : 1)));
        }
      }
    }
  }

  /** Whether the word at a token begins a table's new name, not that of a part of it. */
  public static boolean renamesTable(SqlTokens tokens, int token) {
    return tokens.isWord(token, "RENAME")
        && !tokens.isPunctuation(token - 1, '.')
        && !tokens.isWord(token + 1, "COLUMN")
        && !tokens.isWord(token + 1, "INDEX")
        && !tokens.isWord(token + 1, "KEY");
  }
}
