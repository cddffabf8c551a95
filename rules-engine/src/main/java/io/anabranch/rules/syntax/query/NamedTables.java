package io.anabranch.rules.syntax.query;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.CommonTables;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which names in a statement are tables' by their place, for those who write something in front of
 * them or have no database to plan for: both of {@code INSERT INTO t SELECT 1 FROM u}. What WITH
 * defines is none. Of definitions the first name, that behind LIKE and those in a query are told.
 */
public final class NamedTables {

  private final SqlTokens tokens;
  private final SqlTokens plain;
  private final CommonTables commonTables;
  private final TablePlaces places;
  private final TreeSet<Integer> found = new TreeSet<>();

  private NamedTables(SqlTokens tokens) {
    this.tokens = tokens;
    this.plain = tokens.withoutMarks();
    this.commonTables = new CommonTables(tokens, () -> false);
    this.places =
        new TablePlaces(
            plain,
            new TablePlaces.Names(plain) {
              @Override
              void named(int token) {
                add(token);
              }
            });
  }

  /** The first token of each name, its database's if it has one, in the order of the text. */
  public static SortedSet<Integer> of(SqlTokens tokens) {
    var names = new NamedTables(tokens);
    names.statement(0);
    return Collections.unmodifiableSortedSet(names.found);
  }

  private void add(int place) {
    if (plain.isName(place)) {
      int token = tokens.at(plain.start(place));
      if (plain.isPunctuation(place + 1, '.') || !commonTables.isMaybeOne(token)) {
        found.add(token);
      }
    }
  }

  private void statement(int from) {
    int verb = plain.isWord(from, "WITH") ? places.behindCommonTables(from) : from;
    switch (plain.word(verb)) {
      case "INSERT", "REPLACE" -> {
        int target =
            plain
                .from(verb + 1)
                .skipWords("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE", "INTO");
        add(target);
        returning(target + 1);
      }
      case "UPDATE" -> {
        places.expressions(from, verb);
        places.changed(plain.from(verb + 1).skipWords("LOW_PRIORITY", "IGNORE"), plain.size());
      }
      case "DELETE" -> delete(from, verb);
      case "EXPLAIN", "DESCRIBE", "DESC" -> explained(verb + 1);
      case "TRUNCATE" -> add(plain.from(verb + 1).skipWords("TABLE"));
      case "ANALYZE" -> {
        if (isOfTables(verb)) {
          listed(verb);
        } else {
          explained(verb + 1);
        }
      }
      case "DROP", "CHECK", "CHECKSUM", "OPTIMIZE", "REPAIR", "RENAME", "LOCK", "FLUSH" ->
          listed(verb);
      case "GRANT", "REVOKE" -> behindTable(verb);
      case "CREATE", "ALTER" -> defined(verb);
      case "LOAD" -> {
        behindTable(verb);
        int set = plain.from(verb).findWord("SET");
        places.expressions(set < 0 ? plain.size() : set, plain.size());
      }
      case "BEGIN", "DECLARE", "IF", "LOOP", "REPEAT", "WHILE", "CASE" -> program(from);
      default -> places.expressions(from, plain.size());
    }
  }

  /** {@code ON TABLE t}, {@code INTO TABLE t}. */
  private void behindTable(int verb) {
    int table = plain.from(verb).findWord("TABLE");
    if (table >= 0) {
      add(table + 1);
    }
  }

  /** Statements in one: what they read, and what INSERT writes. */
  private void program(int from) {
    places.expressions(from, plain.size());
    plain
        .from(from)
        .where(token -> plain.isWord(token, "INTO") && isOfInsert(token - 1))
        .forEach(token -> add(token + 1));
  }

  private boolean isOfInsert(int token) {
    return plain.isAnyWord(
        token, "INSERT", "REPLACE", "IGNORE", "LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED");
  }

  /** Expressions; behind RETURNING there are no tables but in queries. */
  private void returning(int from) {
    int returning = plain.from(from).findClause(0, "RETURNING");
    int end = returning < 0 ? plain.size() : returning;
    places.expressions(from, end);
    if (returning >= 0) {
      places.expressions(returning, plain.size());
    }
  }

  /** {@code DELETE FROM t USING t JOIN u}. */
  private void delete(int from, int verb) {
    returning(from);
    int using =
        plain
            .from(verb)
            .find(
                token ->
                    plain.depth(token) == 0
                        && plain.isWord(token, "USING")
                        && !plain.isPunctuation(token + 1, '('));
    if (using >= 0) {
      int returning = plain.from(using).findClause(0, "RETURNING");
      places.read(using + 1, returning < 0 ? plain.size() : returning);
    }
  }

  /** A statement, or a table that is described. */
  private void explained(int from) {
    int inner =
        plain
            .from(from)
            .find(
                token ->
                    plain.isPunctuation(token, '(')
                        || plain.isAnyWord(
                            token, "SELECT", "INSERT", "REPLACE", "UPDATE", "DELETE", "TABLE",
                            "VALUES", "WITH"));
    if (inner >= 0) {
      statement(inner);
    } else if (!plain.isAnyWord(
        from, "FORMAT", "FOR", "EXTENDED", "PARTITIONS", "ROUTE", "ANALYZE")) {
      add(from);
    }
  }

  private boolean isOfTables(int verb) {
    int what = plain.from(verb + 1).skipWords("LOCAL", "NO_WRITE_TO_BINLOG");
    return plain.isAnyWord(what, "TABLE", "TABLES");
  }

  /** {@code DROP TABLE IF EXISTS t, u}, {@code RENAME TABLE t TO u}, {@code LOCK TABLES t READ}. */
  private void listed(int verb) {
    int what = plain.from(verb).find(token -> plain.isAnyWord(token, "TABLE", "TABLES", "VIEW"));
    if (what < 0) {
      return;
    }
    int options = plain.from(what + 1).findClause(0, "WITH", "UPDATE", "DROP", "PERSISTENT", "FOR");
    int end = options < 0 ? plain.size() : options;
    int first = plain.from(what + 1).skipWords("IF", "NOT", "EXISTS");
    if (first < end) {
      add(first);
    }
    boolean renames = plain.isWord(verb, "RENAME");
    plain
        .between(what, end)
        .where(token -> plain.depth(token) == 0 && (isComma(token) || (renames && isTo(token))))
        .forEach(token -> add(token + 1));
  }

  private boolean isComma(int token) {
    return plain.isPunctuation(token, ',');
  }

  private boolean isTo(int token) {
    return plain.isWord(token, "TO");
  }

  private void defined(int verb) {
    int what = plain.from(verb).find(token -> plain.isAnyWord(token, "TABLE", "VIEW"));
    if (what < 0) {
      program(verb);
      return;
    }
    int name = plain.from(what + 1).skipWords("IF", "NOT", "EXISTS");
    add(name);
    int behind = plain.isPunctuation(name + 1, '.') ? name + 3 : name + 1;
    int like = plain.isPunctuation(behind, '(') ? behind + 1 : behind;
    if (plain.isWord(like, "LIKE")) {
      add(like + 1);
    }
    plain
        .from(behind)
        .where(token -> plain.isWord(token, "TABLE"))
        .forEach(token -> add(token + 1));
    int select = plain.from(behind).findWord("SELECT");
    if (select >= 0) {
      int first =
          plain
              .between(behind, select + 1)
              .find(token -> plain.depth(token) == 0 && plain.isAnyWord(token, "WITH", "SELECT"));
      places.expressions(first < 0 ? select : first, plain.size());
    }
  }
}
