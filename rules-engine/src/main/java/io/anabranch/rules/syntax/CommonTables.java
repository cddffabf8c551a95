package io.anabranch.rules.syntax;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the WITH clauses of a statement define, and which of it a name means. A common table is
 * known behind its query until the query ends that has the clause; with RECURSIVE in its own query
 * too, and on MariaDB in all queries of the clause, those in front of it included. Elsewhere the
 * same name is a table's. See <a href="https://dev.mysql.com/doc/refman/8.4/en/with.html">WITH</a>
 * and <a href="https://mariadb.com/kb/en/recursive-common-table-expressions-overview/">Recursive
 * Common Table Expressions</a>.
 */
public final class CommonTables {

  /**
   * In tokens.
   *
   * @param name what is defined
   * @param query the parenthesis that opens its query
   * @param early the first token at which a MariaDB server knows it
   * @param from the first token at which every server knows it
   * @param behind the first token at which it is no longer known
   */
  public record Definition(int name, int query, int early, int from, int behind) {

    /** Whether its own query may name it. */
    public boolean isRecursive() {
      return from == query;
    }

    private boolean isIn(Definition other) {
      return behind - early < other.behind - other.early;
    }
  }

  /** Which of them a name means is looked for among all that are called so. */
  private static final int MOST_ALIKE = 256;

  private final SqlTokens tokens;
  private final BooleanSupplier onMariaDb;
  private final List<Definition> all = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** By name without regard to case, in the order of the text. */
  private final Map<String, List<Definition>> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /** Where the last query ends that is in no parenthesis; -1: nobody has looked. */
  private int statementEnd = -1;

  /**
   * @param onMariaDb whether such a server reads the statement; asked for where it matters only
   * @throws io.anabranch.rules.error.RefusedException if too many have one name
   */
  public CommonTables(SqlTokens tokens, BooleanSupplier onMariaDb) {
    this.tokens = tokens;
    this.onMariaDb = onMariaDb;
    for (int token = 0; token < tokens.size(); token++) {
      if (tokens.isWord(token, "WITH") && !tokens.isPunctuation(token - 1, '.')) {
        clause(token + 1);
      }
    }
  }

  private void clause(int word) {
    boolean recursive = tokens.isWord(word, "RECURSIVE") && query(tokens, word) < 0;
    int first = recursive ? word + 1 : word;
    int end = end(word);
    int name = first;
    for (int query = query(tokens, name); query >= 0; query = query(tokens, name)) {
      int close = tokens.closing(query);
      int from = recursive ? query : close;
      var definition = new Definition(name, query, recursive ? first : from, from, end);
      all.add(definition);
      names.add(tokens.name(name).toLowerCase(Locale.ROOT));
      List<Definition> alike = named.computeIfAbsent(tokens.name(name), any -> new ArrayList<>());
      alike.add(definition);
      if (alike.size() > MOST_ALIKE) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "more than " + MOST_ALIKE + " common tables of one name",
            "give them names of their own");
      }
      name = tokens.isPunctuation(close + 1, ',') ? close + 2 : tokens.size();
    }
  }

  /** The parenthesis behind {@code name [(columns)] AS}; -1: no common table is defined there. */
  public static int query(SqlTokens tokens, int name) {
    int as = tokens.isPunctuation(name + 1, '(') ? tokens.closing(name + 1) + 1 : name + 1;
    boolean isOne =
        tokens.isName(name) && tokens.isWord(as, "AS") && tokens.isPunctuation(as + 1, '(');
    return isOne ? as + 1 : -1;
  }

  /** Where the parenthesis closes that the clause stands in, or the query of an INSERT ends. */
  private int end(int within) {
    int open = tokens.around(within);
    if (open >= 0) {
      return tokens.closing(open);
    }
    if (statementEnd < within) {
      statementEnd = within;
      while (statementEnd < tokens.size() && !endsQuery(statementEnd)) {
        statementEnd++;
      }
    }
    return statementEnd;
  }

  private boolean endsQuery(int token) {
    return tokens.depth(token) == 0
        && !tokens.isPunctuation(token - 1, '.')
        && (tokens.isPunctuation(token, ';')
            || tokens.isWord(token, "RETURNING")
            || (tokens.isWord(token, "ON") && tokens.isWord(token + 1, "DUPLICATE")));
  }

  /** In the order of the text. */
  public List<Definition> all() {
    return all;
  }

  /** Their names in lower case. */
  public Set<String> names() {
    return names;
  }

  /**
   * What the name of a table at {@code token} means, which has no database in front; null: a table.
   *
   * @throws io.anabranch.rules.error.RefusedException if it is written in another case: to a MySQL
   *     server that tells tables apart by case it is a table, to MariaDB the common table
   */
  public @Nullable Definition meant(int token) {
    Definition meant = innermost(called(token), token);
    if (meant != null) {
      requireItsCase(tokens.name(token), tokens.name(meant.name));
    }
    return meant;
  }

  /** Whether a table of that name, put in at {@code token}, might be taken for one of them. */
  public boolean hide(String table, int token) {
    return innermost(named.getOrDefault(table, List.of()), token) != null;
  }

  private @Nullable Definition innermost(List<Definition> alike, int token) {
    Definition found = null;
    for (Definition each : alike) {
      boolean isKnown = each.from <= token || (each.early <= token && onMariaDb.getAsBoolean());
      if (isKnown && token < each.behind && (found == null || each.isIn(found))) {
        found = each;
      }
    }
    return found;
  }

  private List<Definition> called(int token) {
    return tokens.isName(token) ? named.getOrDefault(tokens.name(token), List.of()) : List.of();
  }

  /** Whether the name at {@code token} is no table's to any server. */
  public boolean isSurelyOne(int token) {
    return called(token).stream()
        .anyMatch(
            each ->
                each.from <= token
                    && token < each.behind
                    && tokens.name(each.name).equals(tokens.name(token)));
  }

  /** Whether the name at {@code token} is no table's to some server. */
  public boolean isMaybeOne(int token) {
    return called(token).stream().anyMatch(each -> each.early <= token && token < each.behind);
  }

  /** Refuses the name of the common table {@code defined} in another case. */
  public static void requireItsCase(String name, String defined) {
    if (defined.equalsIgnoreCase(name) && !defined.equals(name)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + name + "' beside a common table of that name in another case",
          "write it as in WITH, or with its database if a table is meant");
    }
  }
}
