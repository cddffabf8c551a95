package io.anabranch.rules.definition;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;

/**
 * What a CREATE TABLE, ALTER TABLE or CREATE INDEX says of columns and keys, found by tokens.
 *
 * @param keys that it makes, also those of a column's own words; a key that is not unique is left
 *     out
 * @param changes of columns that are there, and what comes to them
 */
public record DefinitionClauses(List<TableKey> keys, List<ColumnChange> changes) {

  public DefinitionClauses {
    keys = List.copyOf(keys);
    changes = List.copyOf(changes);
  }

  /** What becomes of a column. */
  public enum Kind {
    DROP,
    RENAME,
    /** A new one of a table that is there. */
    ADD,
    /** MODIFY, and CHANGE, which may give it another name. */
    DEFINE
  }

  /**
   * @param name the column is called so afterwards; of DROP as before
   * @param definition what follows the name, lower case, words apart by one blank; empty of DROP
   *     and RENAME
   */
  public record ColumnChange(Kind kind, String column, String name, String definition) {}

  /**
   * @param behind the token behind the table's name
   */
  public static DefinitionClauses ofCreateTable(SqlTokens tokens, int behind) {
    var reader = new Reader(tokens);
    if (tokens.isPunctuation(behind, '(')) {
      int close = tokens.closing(behind);
      reader.items(behind + 1, close);
    }
    return reader.read();
  }

  /**
   * @param behind the token behind the table's name
   */
  public static DefinitionClauses ofAlterTable(SqlTokens tokens, int behind) {
    var reader = new Reader(tokens);
    List<Span> clauses =
        tokens
            .from(behind)
            .parts(i -> tokens.isPunctuation(i, ',') || tokens.isPunctuation(i, ';'));
    clauses.forEach(clause -> reader.clause(clause.first(), clause.behind()));
    return reader.read();
  }

  /**
   * @param behind the token behind the table's name
   */
  public static DefinitionClauses ofCreateIndex(SqlTokens tokens, int behind) {
    var reader = new Reader(tokens);
    int unique = tokens.between(0, behind).findWord("UNIQUE");
    if (unique >= 0 && tokens.isPunctuation(behind, '(')) {
      reader.keys.add(
          new TableKey(reader.indexName(unique + 1), true, TableKey.parts(tokens, behind), ""));
    }
    return reader.read();
  }

  private static final class Reader {

    private final SqlTokens tokens;
    private final List<TableKey> keys = new ArrayList<>();
    private final List<ColumnChange> changes = new ArrayList<>();
    private boolean adds;

    Reader(SqlTokens tokens) {
      this.tokens = tokens;
    }

    DefinitionClauses read() {
      return new DefinitionClauses(
          keys.stream().filter(TableKey::unique).toList(), List.copyOf(changes));
    }

    void items(int from, int to) {
      tokens.between(from, to).parts().forEach(part -> item(part.first(), part.behind()));
    }

    /** A column or a key. */
    private void item(int from, int to) {
      if (from >= to) {
        return;
      }
      int at = from;
      if (tokens.isWord(at, "CONSTRAINT")) {
        boolean named = !tokens.isWord(at + 1, "PRIMARY") && !tokens.isWord(at + 1, "UNIQUE");
        at += named ? 2 : 1;
        if (!tokens.isWord(at, "PRIMARY") && !tokens.isWord(at, "UNIQUE")) {
          return;
        }
        TableKey key = TableKey.of(tokens, at, to, "");
        boolean takes = key.name().isEmpty() && named && tokens.isName(at - 1);
        keys.add(takes ? new TableKey(tokens.name(at - 1), true, key.parts(), "") : key);
      } else if (tokens.isAnyWord(at, "PRIMARY", "UNIQUE")) {
        keys.add(TableKey.of(tokens, at, to, ""));
      } else if (tokens.isName(at)
          && !tokens.isAnyWord(
              at, "KEY", "INDEX", "FULLTEXT", "SPATIAL", "VECTOR", "FOREIGN", "CHECK")
          && !tokens.isAnyWord(at, "PERIOD", "LIKE")) {
        if (adds) {
          String name = tokens.name(at);
          changes.add(new ColumnChange(Kind.ADD, name, name, definition(at, to)));
        }
        column(at, to);
      }
    }

    /** Words of a column that make it a key. */
    private void column(int name, int to) {
      List<TableKey.Part> part =
          List.of(new TableKey.Part(tokens.name(name), 0, tokens.text(name)));
      TokenRange words = tokens.between(name + 1, to);
      IntPredicate isOwn = i -> tokens.depth(i) == tokens.depth(name);
      boolean unique =
          tokens.isWord(name + 1, "SERIAL")
              || words.has(i -> isOwn.test(i) && tokens.isAnyWord(i, "UNIQUE", "SERIAL"));
      boolean primary =
          words.has(
              i ->
                  isOwn.test(i)
                      && (tokens.isWord(i, "PRIMARY")
                          || (tokens.isWord(i, "KEY")
                              && !tokens.isAnyWord(i - 1, "UNIQUE", "PRIMARY"))));
      if (primary) {
        keys.add(new TableKey(TableKey.PRIMARY, true, part, ""));
      }
      if (unique) {
        keys.add(new TableKey(tokens.name(name), true, part, ""));
      }
    }

    void clause(int from, int to) {
      int at =
          tokens
              .between(from, to)
              .skip(
                  i ->
                      tokens.isAnyWord(i, "NOWAIT", "WAIT", "ONLINE", "IGNORE")
                          || (i > from && tokens.isWord(i - 1, "WAIT")));
      if (tokens.isWord(at, "ADD")) {
        adds = true;
        int item = behindCondition(tokens.isWord(at + 1, "COLUMN") ? at + 2 : at + 1);
        if (tokens.isPunctuation(item, '(')) {
          items(item + 1, tokens.closing(item));
        } else {
          item(item, to);
        }
      } else if (tokens.isWord(at, "DROP") && dropsColumn(at)) {
        String name = tokens.name(column(at));
        changes.add(new ColumnChange(Kind.DROP, name, name, ""));
      } else if (tokens.isWord(at, "MODIFY") && tokens.isName(column(at))) {
        define(column(at), column(at), to);
      } else if (tokens.isWord(at, "CHANGE") && tokens.isName(column(at) + 1)) {
        define(column(at), column(at) + 1, to);
      } else if (tokens.isWord(at, "RENAME") && tokens.isWord(at + 1, "COLUMN")) {
        int column = column(at);
        if (tokens.isName(column) && tokens.isName(column + 2)) {
          changes.add(
              new ColumnChange(Kind.RENAME, tokens.name(column), tokens.name(column + 2), ""));
        }
      }
    }

    private void define(int column, int name, int to) {
      changes.add(
          new ColumnChange(
              Kind.DEFINE, tokens.name(column), tokens.name(name), definition(name, to)));
      column(name, to);
    }

    private String definition(int name, int to) {
      return String.join(" ", tokens.between(name + 1, to).texts()).toLowerCase(Locale.ROOT);
    }

    private boolean dropsColumn(int drop) {
      boolean other =
          tokens.isAnyWord(drop + 1, "PRIMARY", "INDEX", "KEY", "FOREIGN", "CONSTRAINT")
              || tokens.isAnyWord(drop + 1, "CHECK", "PARTITION", "SYSTEM", "PERIOD");
      return !other && tokens.isName(column(drop));
    }

    /** The name behind {@code [COLUMN] [IF EXISTS]}. */
    private int column(int verb) {
      return behindCondition(tokens.isWord(verb + 1, "COLUMN") ? verb + 2 : verb + 1);
    }

    private int behindCondition(int from) {
      int at = from;
      if (tokens.isWord(at, "IF")) {
        at++;
        at += tokens.isWord(at, "NOT") ? 1 : 0;
        at += tokens.isWord(at, "EXISTS") ? 1 : 0;
      }
      return at;
    }

    String indexName(int from) {
      int found =
          tokens
              .from(from)
              .find(
                  i ->
                      tokens.isName(i)
                          && !tokens.isAnyWord(i, "INDEX", "KEY", "IF", "NOT", "EXISTS"));
      return found < 0 ? "" : tokens.name(found);
    }
  }
}
