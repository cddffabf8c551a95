package io.anabranch.rules.planner.encrypt;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.encrypt.EncryptedColumn;
import io.anabranch.rules.model.encrypt.EncryptedColumn.Stored;
import io.anabranch.rules.model.encrypt.EncryptedTable;
import io.anabranch.rules.planner.encrypt.Source.Output;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.SelectLayout.Span;
import io.anabranch.rules.syntax.SelectSpans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The select lists of a statement: which columns of an answer hold ciphertext, and how they are
 * written over stored columns.
 */
final class QueryText {

  private static final Set<String> SET_OPERATORS = Set.of("UNION", "EXCEPT", "INTERSECT", "MINUS");

  /** The whole statement, where queries in parentheses are known by these. */
  static final int TOP = -1;

  /** A column as an expression has it: by its own name, or as another query gives it. */
  record Named(EncryptedColumn column, boolean isStored) {

    /** What may be compared for equality, the best first. */
    List<Stored> comparable() {
      var all = new ArrayList<Stored>();
      Stored assisted = column.assisted();
      if (isStored && assisted != null) {
        all.add(assisted);
      }
      if (column.cipher().encryptor().isDeterministic()) {
        all.add(column.cipher());
      }
      return all;
    }
  }

  private final StoredText text;
  private final SqlTokens tokens;
  private final Scopes scopes;
  private final Map<Scope, List<Output>> known = new HashMap<>();

  /** Queries whose one column is compared with an encrypted one, by their parentheses. */
  private final Map<Integer, Named> compared = new HashMap<>();

  /** Columns that are copied from a SELECT's, by its number there. */
  private final Map<Scope, Map<Integer, EncryptedColumn>> copied = new HashMap<>();

  /** Queries that are items of a select list. */
  private final Set<Integer> scalars = new HashSet<>();

  QueryText(StoredText text, EncryptedNames names) {
    this.text = text;
    this.tokens = text.tokens();
    this.scopes = new Scopes(text, names, this::outputs);
  }

  Scopes scopes() {
    return scopes;
  }

  /** Names in lower case under which columns that are encrypted are known. */
  Set<String> aliases() {
    var names = new HashSet<String>();
    for (Scope scope : scopes.selects()) {
      for (Output output : outputs(scope)) {
        if (output.column() != null && output.name() != null) {
          names.add(output.name().toLowerCase(Locale.ROOT));
        }
      }
    }
    return names;
  }

  /** The query's column is compared with this one. */
  void compare(int open, Named with) {
    compared.put(open, with);
  }

  /**
   * A column of a SELECT goes into another one as it is stored.
   *
   * @param to has nothing stored that the SELECT's has not
   */
  void copy(Scope select, int number, EncryptedColumn to) {
    copied.computeIfAbsent(select, _ -> new HashMap<>()).put(number, to);
  }

  // ---------------------------------------------------------------- names

  /**
   * What a name means.
   *
   * @param first of the qualifier, or the name itself
   * @param name the last token
   * @return null: it is no encrypted column
   */
  @Nullable Named named(int first, int name) {
    Scope scope = scopes.around(name);
    return first < name
        ? qualified(scope == null ? scopes.statement() : scope, name)
        : bare(scope == null ? scopes.statement() : scope, name);
  }

  private @Nullable Named qualified(Scope from, int name) {
    String qualifier = tokens.name(name - 2);
    for (Scope scope = from; scope != null; scope = scope.parent) {
      for (Source source : scope.sources) {
        if (source.alias().equalsIgnoreCase(qualifier)) {
          return in(source, name);
        }
      }
    }
    throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        "a name behind '" + qualifier + "'", tokens.name(name), "qualify it with a table's alias");
  }

  private @Nullable Named bare(Scope from, int name) {
    for (Scope scope = from; scope != null; scope = scope.parent) {
      Named found = null;
      int owners = 0;
      for (Source source : scope.sources) {
        switch (source.has(tokens.name(name))) {
          case ENCRYPTED, STORED -> {
            owners++;
            found = in(source, name);
          }
          case PLAIN, UNKNOWN -> owners++;
          case NONE -> {}
        }
      }
      if (found != null && owners > 1) {
        throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
            "a name that several tables may have", tokens.name(name), "qualify it");
      }
      if (owners > 0) {
        return found;
      }
    }
    return null;
  }

  private @Nullable Named in(Source source, int name) {
    return switch (source.has(tokens.name(name))) {
      case ENCRYPTED -> {
        EncryptedColumn column = source.column(tokens.name(name));
        yield column == null ? null : new Named(column, source.isStored());
      }
      case STORED ->
          throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
              "naming what is stored ('" + tokens.name(name) + "')",
              stored(source, tokens.name(name)),
              "name the column itself");
      case UNKNOWN ->
          throw ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
              "a name of a table function", tokens.name(name), "give it another alias");
      case PLAIN, NONE -> null;
    };
  }

  private static String stored(Source source, String name) {
    EncryptedTable table = source instanceof Source.Table known ? known.encrypted() : null;
    EncryptedColumn column = table == null ? null : table.ofStored(name);
    return column == null ? name : column.name();
  }

  // ---------------------------------------------------------------- queries

  /** The parenthesis around the query that a SELECT is a leg of; {@link #TOP}: there is none. */
  int query(SelectSpans select) {
    int open = opening(select.select());
    while (open >= 0 && isLeg(open)) {
      open = opening(open);
    }
    return open;
  }

  /** Whether a parenthesis holds a leg of a query, or again the whole of what is in another. */
  private boolean isLeg(int open) {
    int close = tokens.closing(open);
    boolean isDoubled = tokens.isPunctuation(open - 1, '(') && tokens.isPunctuation(close + 1, ')');
    boolean isBehindSet =
        isSet(open - 1)
            || ((tokens.isWord(open - 1, "ALL") || tokens.isWord(open - 1, "DISTINCT"))
                && isSet(open - 2));
    return open == 0 || isDoubled || isBehindSet || isSet(close + 1);
  }

  private boolean isSet(int token) {
    return SET_OPERATORS.contains(tokens.text(token).toUpperCase(Locale.ROOT));
  }

  /** The parenthesis that is open at a token; {@link #TOP}: none. */
  private int opening(int token) {
    for (int at = token - 1; at >= 0; at--) {
      if (tokens.isPunctuation(at, '(') && tokens.closing(at) > token) {
        return at;
      }
    }
    return TOP;
  }

  /** The legs of a query. */
  List<Scope> legs(int open) {
    var legs = new ArrayList<Scope>();
    for (Scope scope : scopes.selects()) {
      SelectSpans select = scope.select;
      if (select != null && query(select) == open) {
        legs.add(scope);
      }
    }
    return legs;
  }

  /** The columns of a query's answer. */
  List<Output> outputs(int open) {
    List<Scope> legs = legs(open);
    if (legs.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a query without SELECT beside tables with encrypted columns", "write a plain SELECT");
    }
    List<Output> first = outputs(legs.getFirst());
    for (Scope leg : legs) {
      List<Output> others = outputs(leg);
      for (int i = 0; i < Math.min(first.size(), others.size()); i++) {
        if (!isAlike(first.get(i).column(), others.get(i).column())) {
          EncryptedColumn named =
              first.get(i).column() == null ? others.get(i).column() : first.get(i).column();
          throw refused(
              "UNION and the like of different columns",
              named,
              "select columns with the same encryptor in all of them");
        }
      }
    }
    return first;
  }

  private static boolean isAlike(@Nullable EncryptedColumn one, @Nullable EncryptedColumn other) {
    return one == null
        ? other == null
        : other != null && one.cipher().encryptor().equals(other.cipher().encryptor());
  }

  private static RefusedException refused(
      String what, @Nullable EncryptedColumn column, String wayOut) {
    return ErrorCatalogue.ENCRYPTED_COLUMN.refuse(
        what, column == null ? "" : column.name(), wayOut);
  }

  // ---------------------------------------------------------------- items

  /** One item: where its column stands, if it is one and nothing else. */
  private record Item(Span span, int first, int name, int alias, boolean isStar) {

    boolean isColumn() {
      return name >= 0 && !isStar;
    }
  }

  private Item item(Span span) {
    int at = span.first();
    boolean isStar = false;
    int name = -1;
    if (tokens.isOperator(at, "*") && at + 1 == span.behind()) {
      return new Item(span, at, at, -1, true);
    }
    while (tokens.isName(at) && at < span.behind()) {
      name = at;
      if (!tokens.isPunctuation(at + 1, '.')) {
        break;
      }
      isStar = tokens.isOperator(at + 2, "*");
      name = at + 2;
      at += 2;
    }
    if (isStar && name + 1 == span.behind()) {
      return new Item(span, span.first(), name, -1, true);
    }
    int alias = alias(span);
    int behind = alias < 0 ? span.behind() : tokens.isWord(alias - 1, "AS") ? alias - 1 : alias;
    boolean isColumn = name >= 0 && !isStar && name + 1 == behind;
    return new Item(span, span.first(), isColumn ? name : -1, alias, false);
  }

  /** The alias; -1 where there is none for sure, or it cannot be told. */
  private int alias(Span span) {
    int last = span.behind() - 1;
    if (last <= span.first()) {
      return -1;
    }
    if (tokens.isWord(last - 1, "AS")) {
      return last;
    }
    boolean isBehindOperand =
        tokens.isName(last - 1)
            || tokens.isPunctuation(last - 1, ')')
            || tokens.slot(last - 1) >= 0;
    return tokens.isName(last) && isBehindOperand && !tokens.isWord(last, "END") ? last : -1;
  }

  List<Output> outputs(Scope scope) {
    List<Output> made = known.get(scope);
    if (made == null) {
      made = List.copyOf(made(scope));
      known.put(scope, made);
    }
    return made;
  }

  private List<Output> made(Scope scope) {
    var outputs = new ArrayList<Output>();
    SelectSpans select = scope.select;
    if (select == null) {
      return outputs;
    }
    for (Span span : select.items(tokens)) {
      Item item = item(span);
      if (item.isStar()) {
        for (Source source : starred(scope, item)) {
          outputs.addAll(visible(source));
        }
        continue;
      }
      String alias = item.alias() < 0 ? null : alias(item.alias());
      if (item.isColumn()) {
        Named named = named(item.first(), item.name());
        outputs.add(
            new Output(
                item.alias() < 0 ? tokens.name(item.name()) : alias,
                named == null ? null : named.column()));
      } else {
        outputs.add(new Output(alias, scalar(item)));
      }
    }
    return outputs;
  }

  /** As the server knows it, which takes strings as well; null: it has to be looked at closely. */
  private @Nullable String alias(int token) {
    String text = tokens.text(token);
    if (tokens.isName(token)) {
      return tokens.name(token);
    }
    boolean isPlain =
        text.length() > 2
            && text.chars().skip(1).limit(text.length() - 2L).allMatch(QueryText::isPlain);
    return isPlain ? text.substring(1, text.length() - 1) : null;
  }

  private static boolean isPlain(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == ' ' || c == '.' || c == '-';
  }

  /** Of a query in parentheses that is all of the item. */
  private @Nullable EncryptedColumn scalar(Item item) {
    int open = item.first();
    int end = item.alias() < 0 ? item.span().behind() : item.alias();
    end -= tokens.isWord(end - 1, "AS") ? 1 : 0;
    boolean isQuery =
        tokens.isPunctuation(open, '(')
            && tokens.isWord(open + 1, "SELECT")
            && tokens.closing(open) == end - 1;
    if (!isQuery) {
      return null;
    }
    List<Output> inner = outputs(open);
    if (inner.size() != 1 || inner.getFirst().column() == null) {
      return null;
    }
    scalars.add(open);
    return inner.getFirst().column();
  }

  private List<Source> starred(Scope scope, Item item) {
    if (item.first() == item.name()) {
      return scope.sources;
    }
    String qualifier = tokens.name(item.name() - 2);
    return scope.sources.stream()
        .filter(source -> source.alias().equalsIgnoreCase(qualifier))
        .limit(1)
        .toList();
  }

  /** The columns that {@code *} stands for, by their logical names. */
  private List<Output> visible(Source source) {
    return switch (source) {
      case Source.Table table -> visible(table);
      case Source.Derived derived -> derived.outputs().get();
      case Source.Unknown unknown -> List.of(new Output(unknown.alias() + ".*", null));
    };
  }

  private static List<Output> visible(Source.Table table) {
    Optional<TableSchema> schema = table.schema().get();
    EncryptedTable encrypted = table.encrypted();
    var outputs = new ArrayList<Output>();
    if (schema.isEmpty()) {
      return outputs;
    }
    for (Column column : schema.get().columns()) {
      EncryptedColumn of = encrypted == null ? null : encrypted.ofStored(column.name());
      boolean isCipher = of != null && of.cipher().name().equalsIgnoreCase(column.name());
      boolean isShadowed =
          of == null && encrypted != null && encrypted.column(column.name()) != null;
      if (!column.hidden() && !isShadowed && (of == null || isCipher)) {
        outputs.add(new Output(of == null ? column.name() : of.name(), of));
      }
    }
    return outputs;
  }

  // ---------------------------------------------------------------- writing

  /** Writes the items of a SELECT over stored columns. */
  void write(Scope scope) {
    SelectSpans select = scope.select;
    if (select == null) {
      return;
    }
    int open = query(select);
    List<Output> outputs = outputs(scope);
    Output encrypted =
        outputs.stream().filter(output -> output.column() != null).findFirst().orElse(null);
    boolean exists = open >= 0 && tokens.isWord(open - 1, "EXISTS");
    if (encrypted != null && !exists) {
      requirePlace(scope, select, open, encrypted);
    }
    Named with = compared.get(open);
    Map<Integer, EncryptedColumn> targets = copied.getOrDefault(scope, Map.of());
    int number = 0;
    for (Span span : select.items(tokens)) {
      Item item = item(span);
      EncryptedColumn to = targets.get(number);
      if (item.isStar() && scope.isEncrypted() && !exists) {
        if (!targets.isEmpty()) {
          throw refused(
              "INSERT … SELECT *",
              encrypted == null ? null : encrypted.column(),
              "name the columns");
        }
        star(scope, item);
      } else if (to != null) {
        copied(item, to);
      } else if (item.isColumn()) {
        column(item, with);
      }
      number++;
    }
  }

  private void requirePlace(Scope scope, SelectSpans select, int open, Output encrypted) {
    EncryptedColumn column = encrypted.column();
    boolean isKnown =
        open == TOP
            || scopes.isDerived(open)
            || scalars.contains(open)
            || compared.containsKey(open);
    if (!isKnown) {
      throw refused(
          "a subquery in this place that selects it",
          column,
          "use EXISTS, or compare it with another encrypted column");
    }
    boolean isHidden =
        outputs(scope).stream().anyMatch(each -> each.column() != null && each.name() == null);
    if (isHidden) {
      throw refused("a select item without a plain name", column, "give it an alias");
    }
    boolean isCombined = legs(open).size() > 1;
    boolean distinct =
        tokens.isWord(select.select() + 1, "DISTINCT")
            || tokens.isWord(select.select() + 1, "DISTINCTROW")
            || (isCombined && !isUnionAll(open));
    for (Output output : outputs(scope)) {
      EncryptedColumn of = output.column();
      if (distinct && of != null && !of.cipher().encryptor().isDeterministic()) {
        throw refused(
            "DISTINCT or UNION",
            of,
            "its ciphertext differs for equal values: use UNION ALL, or a deterministic encryptor");
      }
    }
    for (int token = select.select(); token < select.behind(); token++) {
      boolean isOwn = tokens.depth(token) == tokens.depth(select.select());
      if (isOwn
          && (tokens.isWord(token, "INTO")
              || tokens.isWord(token, "PROCEDURE")
              || tokens.isWord(token, "SQL_CALC_FOUND_ROWS"))) {
        throw refused(tokens.text(token), column, "read it with a plain SELECT");
      }
    }
    requireOrder(scope, select, open, isCombined, column);
  }

  private boolean isUnionAll(int open) {
    int from = open == TOP ? 0 : open + 1;
    int to = open == TOP ? tokens.size() : tokens.closing(open);
    for (int token = from; token < to; token++) {
      boolean isSet =
          tokens.isWord(token, "UNION")
              || tokens.isWord(token, "EXCEPT")
              || tokens.isWord(token, "INTERSECT");
      if (isSet && !(tokens.isWord(token, "UNION") && tokens.isWord(token + 1, "ALL"))) {
        return false;
      }
    }
    return true;
  }

  /** Sorting, grouping and filtering by a position or an alias of a column that is encrypted. */
  private void requireOrder(
      Scope scope,
      SelectSpans select,
      int open,
      boolean isCombined,
      @Nullable EncryptedColumn column) {
    var aliases = new HashMap<String, EncryptedColumn>();
    for (Output output : outputs(scope)) {
      if (output.column() != null && output.name() != null) {
        aliases.put(output.name().toLowerCase(Locale.ROOT), output.column());
      }
    }
    int depth = tokens.depth(select.select());
    boolean sorts = false;
    for (int token = select.select(); token < select.behind(); token++) {
      boolean isOwn = tokens.depth(token) == depth && !tokens.isPunctuation(token - 1, '.');
      if (isOwn) {
        boolean isOrder = tokens.isWord(token, "ORDER") && tokens.isWord(token + 1, "BY");
        if (isOrder && isCombined) {
          throw refused("ORDER BY of a UNION", column, "sort where the values are read");
        }
        sorts |= isOrder || tokens.isWord(token, "GROUP") || tokens.isWord(token, "HAVING");
        sorts &= !tokens.isWord(token, "LIMIT");
        boolean begins = tokens.isWord(token - 1, "BY") || tokens.isPunctuation(token - 1, ',');
        if (sorts && begins && tokens.slot(token) >= 0) {
          throw refused(
              "ORDER BY or GROUP BY of a position",
              column,
              "name the columns that are not encrypted");
        }
      }
      EncryptedColumn aliased =
          sorts && tokens.isName(token) && !tokens.isPunctuation(token + 1, '.')
              ? aliases.get(tokens.name(token).toLowerCase(Locale.ROOT))
              : null;
      if (aliased != null && !tokens.isPunctuation(token - 1, '.')) {
        boolean isGrouped =
            isOwn && isGrouped(select, token) && aliased.cipher().encryptor().isDeterministic();
        if (!isGrouped) {
          throw refused("ORDER BY or HAVING", aliased, "sort where the values are read");
        }
      }
    }
    int around = open == TOP ? 0 : tokens.depth(open) + 1;
    if (isCombined || depth > around) {
      int from = open == TOP ? 0 : open + 1;
      int to = open == TOP ? tokens.size() : tokens.closing(open);
      for (int token = from; token < to; token++) {
        if (tokens.depth(token) < depth && tokens.isWord(token, "ORDER")) {
          throw refused("ORDER BY around a query", column, "sort where the values are read");
        }
      }
    }
  }

  /** Whether a token is in GROUP BY: what it means there is asked for by its name. */
  boolean isGrouped(SelectSpans select, int token) {
    int depth = tokens.depth(select.select());
    for (int at = token; at > select.select(); at--) {
      if (tokens.depth(at) != depth) {
        continue;
      }
      if (tokens.isWord(at, "GROUP") && tokens.isWord(at + 1, "BY")) {
        return true;
      }
      if (tokens.isWord(at, "HAVING") || tokens.isWord(at, "ORDER") || tokens.isWord(at, "LIMIT")) {
        return false;
      }
    }
    return false;
  }

  /** The one column of a SELECT where it is encrypted and nothing else; null: it is not. */
  @Nullable Named only(Scope scope) {
    SelectSpans select = scope.select;
    List<Span> spans = select == null ? List.of() : select.items(tokens);
    if (spans.size() != 1) {
      return null;
    }
    Item item = item(spans.getFirst());
    return item.isColumn() ? named(item.first(), item.name()) : null;
  }

  private void copied(Item item, EncryptedColumn to) {
    Named named = item.isColumn() ? named(item.first(), item.name()) : null;
    if (named == null || !named.isStored()) {
      throw refused("INSERT … SELECT of more than a column", to, "select the column of its table");
    }
    StringBuilder qualifier = new StringBuilder();
    for (int token = item.first(); token < item.name(); token++) {
      qualifier.append(tokens.text(token));
    }
    var columns = new ArrayList<String>();
    columns.add(qualifier + TableNames.quoted(named.column().cipher().name()));
    Stored assisted = named.column().assisted();
    if (to.assisted() != null && assisted != null) {
      columns.add(qualifier + TableNames.quoted(assisted.name()));
    }
    Stored like = named.column().like();
    if (to.like() != null && like != null) {
      columns.add(qualifier + TableNames.quoted(like.name()));
    }
    text.replace(item.first(), item.name() + 1, String.join(", ", columns));
    if (item.alias() >= 0) {
      text.understand(item.alias(), item.alias() + 1);
    }
  }

  private void column(Item item, @Nullable Named with) {
    Named named = named(item.first(), item.name());
    if (named == null) {
      return;
    }
    if (item.alias() >= 0) {
      text.understand(item.alias(), item.alias() + 1);
    }
    Stored stored = named.column().cipher();
    if (with != null) {
      stored = pair(with, named)[1];
    }
    if (!named.isStored()) {
      text.understand(item.first(), item.name() + 1);
      return;
    }
    String alias = item.alias() >= 0 ? "" : " AS " + TableNames.quoted(tokens.name(item.name()));
    text.replace(item.name(), item.name() + 1, TableNames.quoted(stored.name()) + alias);
    text.understand(item.first(), item.name() + 1);
  }

  /**
   * What is compared where two encrypted columns are.
   *
   * @throws RefusedException if nothing of both is stored alike
   */
  static Stored[] pair(Named left, Named right) {
    for (Stored one : left.comparable()) {
      for (Stored other : right.comparable()) {
        if (one.encryptor().equals(other.encryptor())) {
          return new Stored[] {one, other};
        }
      }
    }
    throw refused(
        "a comparison with '" + right.column().name() + "', which is stored otherwise",
        left.column(),
        "give both the same assistedQuery encryptor");
  }

  private void star(Scope scope, Item item) {
    List<Source> sources = starred(scope, item);
    if (scope.isMerged && item.first() == item.name()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "SELECT * of JOIN … USING over encrypted columns", "name the columns");
    }
    var columns = new ArrayList<String>();
    for (Source source : sources) {
      if (visible(source).isEmpty()) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "SELECT * over '" + source.alias() + "', whose columns are not known,",
            "name the columns");
      }
      for (Output output : visible(source)) {
        String name = output.name();
        if (name == null || source instanceof Source.Unknown) {
          throw ErrorCatalogue.NOT_SUPPORTED.refuse(
              "SELECT * over '" + source.alias() + "', whose columns have no names,",
              "give them aliases");
        }
        EncryptedColumn column = output.column();
        String qualifier = TableNames.quoted(source.alias()) + ".";
        columns.add(
            column != null && source.isStored()
                ? qualifier
                    + TableNames.quoted(column.cipher().name())
                    + " AS "
                    + TableNames.quoted(name)
                : qualifier + TableNames.quoted(name));
      }
    }
    if (columns.isEmpty()) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "'" + tokens.text(item.first()) + ".*' beside tables with encrypted columns",
          "name the columns");
    }
    text.replace(item.first(), item.span().behind(), " " + String.join(", ", columns) + " ");
  }
}
