package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.stored.StoredText;
import io.anabranch.rules.syntax.CommonTables;
import io.anabranch.rules.syntax.query.ClauseEnds;
import io.anabranch.rules.syntax.query.SelectSpans;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The scopes of a statement and what is in their FROM. Names of tables and aliases are understood
 * on the way; what cannot be read is refused.
 */
final class Scopes {

  private final StoredText text;
  private final SqlTokens tokens;
  private final EncryptedNames names;
  private final List<Scope> selects = new ArrayList<>();

  /** For each token the number of the innermost SELECT around it; -1: it is in none. */
  private final int[] owners;

  private final Scope statement = new Scope(null, null);

  private final CommonTables commonTables;

  /** Names of common tables in lower case. */
  private final Set<String> defined = new HashSet<>();

  /** Parentheses of derived and common tables. */
  private final Set<Integer> derived = new HashSet<>();

  private final Function<Integer, List<Source.Output>> outputs;

  /**
   * @param outputs of the query in the parenthesis; asked for when all is read
   */
  Scopes(StoredText text, EncryptedNames names, Function<Integer, List<Source.Output>> outputs) {
    this.text = text;
    this.tokens = text.tokens();
    this.names = names;
    this.outputs = outputs;
    this.commonTables = text.commonTables();
    commonTables.all().forEach(this::read);
    List<SelectSpans> all = SelectSpans.of(tokens);
    owners = SelectSpans.owners(all, tokens.size());
    for (SelectSpans select : all) {
      Scope parent = outside(select, all);
      selects.add(new Scope(select, parent == null ? statement : parent));
    }
    for (Scope scope : selects) {
      SelectSpans select = scope.select;
      if (select != null && !select.from().isEmpty()) {
        tables(scope, select.from().first(), select.from().behind());
      }
    }
  }

  /** Of a statement that changes tables. */
  Scope statement() {
    return statement;
  }

  List<Scope> selects() {
    return selects;
  }

  boolean isDerived(int open) {
    return derived.contains(open);
  }

  /** The innermost SELECT around a token; null: it is in none. */
  @Nullable Scope around(int token) {
    int owner = token < 0 || token >= owners.length ? -1 : owners[token];
    return owner < 0 ? null : selects.get(owner);
  }

  /** The SELECT that begins with a token; null: none does. */
  @Nullable Scope at(int token) {
    Scope scope = around(token);
    SelectSpans select = scope == null ? null : scope.select;
    return select != null && select.select() == token ? scope : null;
  }

  /** The innermost SELECT around another one: what is in its parenthesis, or behind it, is not. */
  private @Nullable Scope outside(SelectSpans select, List<SelectSpans> all) {
    int before = select.select() - 1;
    while (before >= 0
        && owners[before] >= 0
        && all.get(owners[before]).behind() <= select.select()) {
      before = all.get(owners[before]).select() - 1;
    }
    return before < 0 ? null : around(before);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  // ---------------------------------------------------------------- common tables

  private void read(CommonTables.Definition table) {
    int name = table.name();
    if (names.table(tokens.name(name)) != null) {
      throw refused(name, "a common table of that name");
    }
    if (tokens.isPunctuation(name + 1, '(')) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a common table with a list of columns beside encrypted tables",
          "name its columns in its query");
    }
    if (!defined.add(lower(tokens.name(name)))) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "two common tables of one name beside encrypted tables", "give them different names");
    }
    derived.add(table.query());
    text.understand(name, name + 1);
  }

  // ---------------------------------------------------------------- tables

  /** Reads the tables of {@code [from, to)} into a scope. */
  void tables(Scope scope, int from, int to) {
    int duplicate =
        tokens
            .between(from, to)
            .findName(at -> tokens.isWord(at, "ON") && tokens.isWord(at + 1, "DUPLICATE"));
    TokenRange list = tokens.between(from, duplicate < 0 ? to : duplicate);
    if (list.isEmpty()) {
      throw refused(from, "this list of tables");
    }
    table(scope, from, to);
    for (int at : list.where(at -> tokens.depth(at) == tokens.depth(from) && isJoint(at))) {
      if (tokens.isWord(at, "NATURAL")) {
        throw refused(at, "NATURAL JOIN");
      }
      if (tokens.isWord(at, "USING")) {
        scope.isMerged = true;
      } else if (at + 1 < list.behind()) {
        table(scope, at + 1, to);
      } else {
        throw refused(from, "this list of tables");
      }
    }
  }

  /** Whether the token joins one table with the next, or tells how. */
  private boolean isJoint(int token) {
    boolean isWord =
        tokens.isAnyWord(token, "STRAIGHT_JOIN", "NATURAL")
            || (tokens.isWord(token, "JOIN") && !tokens.isWord(token - 1, "FOR"))
            || (tokens.isWord(token, "USING") && tokens.isPunctuation(token + 1, '('));
    return tokens.isPunctuation(token, ',') || (isWord && !tokens.isPunctuation(token - 1, '.'));
  }

  private boolean startsQuery(int token) {
    int first = tokens.from(token).skip(each -> tokens.isPunctuation(each, '('));
    return tokens.isAnyWord(first, "SELECT", "WITH", "VALUES", "TABLE");
  }

  private void table(Scope scope, int at, int to) {
    if (tokens.isWord(at, "LATERAL")) {
      throw refused(at, "LATERAL");
    }
    if (tokens.isWord(at, "JSON_TABLE") && tokens.isPunctuation(at + 1, '(')) {
      int end = tokens.closing(at + 1) + 1;
      int alias = tokens.isWord(end, "AS") ? end + 1 : end;
      scope.sources.add(new Source.Unknown(tokens.name(alias)));
      text.understand(alias, alias + 1);
    } else if (tokens.isPunctuation(at, '(')) {
      nested(scope, at, to);
    } else {
      named(scope, at, to);
    }
  }

  /** A derived table, or a join in parentheses. */
  private void nested(Scope scope, int open, int to) {
    int close = tokens.closing(open);
    int alias = tokens.isWord(close + 1, "AS") ? close + 2 : close + 1;
    // ((SELECT 1) UNION (SELECT 2)) AS t is a query, ((SELECT 1) AS t JOIN u) is none
    if (!startsQuery(open + 1) || !tokens.isName(alias) || alias >= to) {
      tables(scope, open + 1, close);
      return;
    }
    if (tokens.isPunctuation(alias + 1, '(')) {
      throw refused(alias, "a derived table with a list of columns");
    }
    derived.add(open);
    text.understand(alias, alias + 1);
    scope.sources.add(new Source.Derived(tokens.name(alias), () -> outputs.apply(open)));
  }

  private void named(Scope scope, int at, int to) {
    if (!tokens.isName(at)) {
      throw refused(at, "this table");
    }
    boolean isQualified = tokens.isPunctuation(at + 1, '.');
    int name = isQualified ? at + 2 : at;
    String qualifier = isQualified ? tokens.name(at) : null;
    if (!tokens.isName(name) || tokens.isPunctuation(name + 1, '.')) {
      throw refused(at, "this table");
    }
    String table = tokens.name(name);
    EncryptedTable encrypted = names.table(table);
    if (qualifier != null && !names.isOwn(qualifier)) {
      if (encrypted != null) {
        throw EncryptedNames.otherDatabase(qualifier, tokens.name(name));
      }
    }
    text.understand(at, name + 1);
    int behind = name + 1;
    if (tokens.isWord(behind, "PARTITION") && tokens.isPunctuation(behind + 1, '(')) {
      behind = tokens.closing(behind + 1) + 1;
    }
    if (tokens.isWord(behind, "FOR") && tokens.isWord(behind + 1, "SYSTEM_TIME")) {
      throw refused(name, "FOR SYSTEM_TIME");
    }
    String alias = table;
    if (tokens.isWord(behind, "AS") && behind + 1 < to) {
      alias = tokens.name(behind + 1);
      text.understand(behind + 1, behind + 2);
    } else if (behind < to && isAlias(behind)) {
      alias = tokens.name(behind);
      text.understand(behind, behind + 1);
    }
    CommonTables.Definition common = isQualified ? null : commonTables.meant(name);
    if (common != null) {
      scope.sources.add(new Source.Derived(alias, () -> outputs.apply(common.query())));
    } else {
      scope.sources.add(new Source.Table(alias, encrypted, () -> names.schema(qualifier, table)));
    }
  }

  private boolean isAlias(int token) {
    return tokens.isName(token)
        && !tokens.isAnyWord(token, "FROM", "WITH")
        && !ClauseEnds.endsTable(tokens, token);
  }

  private RuntimeException refused(int token, String what) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        what + " ('" + tokens.name(token) + "') beside tables with encrypted columns",
        "name the tables plainly");
  }
}
