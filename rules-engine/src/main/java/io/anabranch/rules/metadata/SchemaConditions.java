package io.anabranch.rules.metadata;

import io.anabranch.rules.lexer.Span;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.TokenKind;
import io.anabranch.rules.lexer.TokenRange;
import io.anabranch.rules.metadata.CatalogueQuery.Block;
import io.anabranch.rules.metadata.CatalogueQuery.Condition;
import io.anabranch.rules.metadata.CatalogueQuery.Named;
import io.anabranch.rules.metadata.CatalogueQuery.Using;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What conditions say of the databases that rows are of. What is not understood says nothing; each
 * token is looked at once. Used by one thread.
 */
final class SchemaConditions {

  /** Of parentheses in one another, of SELECTs, and of tables that have a column. */
  private static final int MOST = 60;

  private static final Pattern MARKS = Pattern.compile("\\p{M}+");

  /** Wildcards of LIKE; more of them say nothing. */
  private static final int MOST_WILDCARDS = 8;

  /**
   * Numbers of {@link CatalogueQuery.Named}.
   *
   * @param due names databases of {@code known} only
   */
  record Equal(int known, int due) {}

  private final SqlTokens tokens;
  private final CatalogueQuery query;
  private final String own;
  private final Set<String> known;

  /** Those that a collation may take for one another, by what is left of them. */
  private final Map<String, List<String>> alike;

  private final Set<Equal> equal = new LinkedHashSet<>();

  SchemaConditions(SqlTokens tokens, CatalogueQuery query, String own, Set<String> known) {
    this.tokens = tokens;
    this.query = query;
    this.own = own.toLowerCase(Locale.ROOT);
    this.known =
        known.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
    this.alike = this.known.stream().collect(Collectors.groupingBy(SchemaConditions::bare));
  }

  /** Without what is above and below letters. */
  private static String bare(String name) {
    return MARKS.matcher(Normalizer.normalize(name, Normalizer.Form.NFD)).replaceAll("");
  }

  /** Databases that a condition on one name may mean. */
  private Set<String> named(String name) {
    var names = new HashSet<String>(alike.getOrDefault(bare(name), List.of()));
    names.add(name);
    return names;
  }

  /** What the conditions that have been asked for say of two tables. */
  Set<Equal> equal() {
    return equal;
  }

  /**
   * Databases by numbers of {@link CatalogueQuery.Named}, of those that the condition restricts.
   */
  Map<Integer, Set<String>> of(Condition condition) {
    if (condition.using() != Using.NONE) {
      using(condition);
      return Map.of();
    }
    var reader = new Reader(condition);
    Map<Integer, Set<String>> restricted = reader.read();
    equal.addAll(reader.told);
    return restricted;
  }

  /** Tables of one that a column's name may mean without a table's; of many nothing is said. */
  private List<Integer> meant(Condition condition, String column) {
    List<Integer> tables = query.block(condition.block()).bySchema.getOrDefault(column, List.of());
    return tables.size() > MOST
        ? List.of()
        : tables.stream().filter(named -> condition.names(Named.table(named))).toList();
  }

  private void using(Condition condition) {
    Span range = condition.range();
    for (int token : tokens.between(range.first(), range.behind()).names()) {
      List<Integer> tables = meant(condition, tokens.lowerName(token));
      int joined = tables.isEmpty() ? -1 : tables.getLast();
      if (joined >= 0 && Named.table(joined) >= condition.first()) {
        for (int other : tables) {
          equal.add(new Equal(other, joined));
          if (condition.using() == Using.BOTH_WAYS) {
            equal.add(new Equal(joined, other));
          }
        }
      }
    }
  }

  // ---------------------------------------------------------------- one condition

  /**
   * What stands on one side of a comparison.
   *
   * @param tables numbers of what a column may name; empty: it is a value
   * @param names the value's
   */
  private record Operand(List<Integer> tables, Set<String> names, int behind) {
    boolean isColumn() {
      return !tables.isEmpty();
    }
  }

  /**
   * What a condition leaves: databases by numbers of {@link CatalogueQuery.Named}, whose sets are
   * changed.
   *
   * @param isNever whether no row meets it
   */
  private record Left(Map<Integer, Set<String>> names, boolean isNever) {

    static Left all() {
      return new Left(new HashMap<>(), false);
    }

    static Left nothing() {
      return new Left(new HashMap<>(), true);
    }

    Left or(Left other) {
      if (isNever || other.isNever) {
        return isNever ? other : this;
      }
      names.keySet().retainAll(other.names.keySet());
      names.forEach((named, some) -> some.addAll(other.names.getOrDefault(named, Set.of())));
      return this;
    }

    Left and(Left other) {
      if (isNever || other.isNever) {
        return isNever ? this : other;
      }
      other.names.forEach((named, some) -> names.merge(named, some, WantedSchemas::common));
      return this;
    }
  }

  /** Reads AND and OR, and what is between them. */
  private final class Reader {

    private final Condition condition;

    /** What it says of two tables. */
    private final List<Equal> told = new ArrayList<>();

    /** AND belongs to it, where the parts of a condition are told apart. */
    private boolean isBetween;

    Reader(Condition condition) {
      this.condition = condition;
    }

    Map<Integer, Set<String>> read() {
      return either(condition.range(), 0).names();
    }

    private Left either(Span span, int depth) {
      TokenRange range = tokens.between(span.first(), span.behind());
      int unclear = range.until(tokens.depth(span.first()), this::isUnclear);
      List<Span> parts =
          unclear < span.behind() || range.isEmpty()
              ? List.of()
              : range.parts(token -> isWord(token, "OR"));
      int before = told.size();
      Left found = parts.isEmpty() ? Left.all() : Left.nothing();
      for (Span part : parts) {
        found = found.or(all(part, depth));
      }
      if (parts.size() > 1) {
        told.subList(before, told.size()).clear();
      }
      return found;
    }

    private boolean isWord(int token, String word) {
      return tokens.isWord(token, word) && !tokens.isPunctuation(token - 1, '.');
    }

    /** What is not told apart: XOR, what may be no OR, and CASE with its words. */
    private boolean isUnclear(int token) {
      return isWord(token, "XOR") || isWord(token, "CASE") || tokens.isOperator(token, "||");
    }

    private boolean isAnd(int token) {
      boolean isAnd = isWord(token, "AND") || tokens.isOperator(token, "&&");
      boolean separates = isAnd && !isBetween;
      isBetween = isWord(token, "BETWEEN") || (isBetween && !isAnd);
      return separates;
    }

    private Left all(Span span, int depth) {
      isBetween = false;
      Left found = Left.all();
      for (Span part : tokens.between(span.first(), span.behind()).parts(this::isAnd)) {
        found = found.and(one(part, depth));
      }
      return found;
    }

    private Left one(Span span, int depth) {
      int open = span.first();
      int close = span.behind() - 1;
      boolean isAround = tokens.isPunctuation(open, '(') && tokens.closing(open) == close;
      if (!isAround) {
        return compared(open, span.behind());
      }
      boolean isQuery = tokens.isAnyWord(open + 1, "SELECT", "WITH", "VALUES", "TABLE");
      return isQuery || depth == MOST ? Left.all() : either(new Span(open + 1, close), depth + 1);
    }

    // -------------------------------------------------------------- comparisons

    private Left compared(int start, int end) {
      if (isNull(start, end)) {
        return Left.nothing();
      }
      if (tokens.isPunctuation(start, '(')) {
        return rows(start, end);
      }
      Operand left = operand(start);
      if (left == null) {
        return Left.all();
      }
      int operator = left.behind();
      boolean isIn = tokens.isWord(operator, "IN") && tokens.isPunctuation(operator + 1, '(');
      if (isIn && left.isColumn() && tokens.closing(operator + 1) == end - 1) {
        return restricted(left.tables(), listed(operator + 1, 0, false));
      }
      boolean isLike = tokens.isWord(operator, "LIKE");
      boolean isEqual = tokens.isOperator(operator, "=") || tokens.isOperator(operator, "<=>");
      Operand right = isLike || isEqual ? operand(operator + 1) : null;
      if (right == null || right.behind() != end) {
        return Left.all();
      }
      if (isLike) {
        return left.isColumn() && tokens.kind(operator + 1) == TokenKind.STRING
            ? restricted(left.tables(), alike(operator + 1))
            : Left.all();
      }
      if (left.isColumn() && right.isColumn()) {
        same(left.tables(), right.tables());
        return Left.all();
      }
      return restricted(
          left.isColumn() ? left.tables() : right.tables(),
          left.isColumn() ? right.names() : left.names());
    }

    /** {@code ISNULL(DATABASE())}, {@code DATABASE() IS NULL}: there is a current one. */
    private boolean isNull(int start, int end) {
      boolean isCalled =
          tokens.isWord(start, "ISNULL")
              && tokens.isPunctuation(start + 1, '(')
              && isDatabase(start + 2)
              && start + 6 == end;
      boolean isTold =
          isDatabase(start)
              && tokens.isWord(start + 3, "IS")
              && tokens.isWord(start + 4, "NULL")
              && start + 5 == end;
      return !own.isEmpty() && (isCalled || isTold);
    }

    /** {@code (table_schema, table_name) IN (('shop', 't'))}. */
    private Left rows(int start, int end) {
      int close = tokens.closing(start);
      List<Span> parts = tokens.between(start + 1, close).parts();
      boolean isIn = tokens.isWord(close + 1, "IN") && tokens.isPunctuation(close + 2, '(');
      if (!isIn || tokens.closing(close + 2) != end - 1) {
        return Left.all();
      }
      for (int i = 0; i < parts.size(); i++) {
        Operand column = operand(parts.get(i).first());
        if (column != null && column.isColumn() && column.behind() == parts.get(i).behind()) {
          return restricted(column.tables(), listed(close + 2, i, true));
        }
      }
      return Left.all();
    }

    /**
     * @param member of the rows that are listed
     * @return null: something else is listed, too
     */
    private @Nullable Set<String> listed(int open, int member, boolean areRows) {
      var names = new HashSet<String>();
      for (Span each : tokens.between(open + 1, tokens.closing(open)).parts()) {
        Span value = each;
        if (areRows) {
          boolean isRow =
              tokens.isPunctuation(each.first(), '(')
                  && tokens.closing(each.first()) == each.behind() - 1;
          List<Span> members =
              isRow ? tokens.between(each.first() + 1, each.behind() - 1).parts() : List.<Span>of();
          if (member >= members.size()) {
            return null;
          }
          value = members.get(member);
        }
        Operand operand = operand(value.first());
        if (operand == null || operand.isColumn() || operand.behind() != value.behind()) {
          return null;
        }
        names.addAll(operand.names());
      }
      return names;
    }

    private Left restricted(List<Integer> tables, @Nullable Set<String> to) {
      var found = new HashMap<Integer, Set<String>>();
      for (int table : to == null ? List.<Integer>of() : tables) {
        if (isRestricted(table)) {
          var names = new HashSet<String>(to);
          found.put(table, names);
        }
      }
      return new Left(found, false);
    }

    /** A name that several tables have says nothing: servers refuse it, or it is of USING. */
    private void same(List<Integer> some, List<Integer> others) {
      if (some.size() > 1 || others.size() > 1) {
        return;
      }
      int one = some.getFirst();
      int other = others.getFirst();
      if (isRestricted(one)) {
        told.add(new Equal(other, one));
      }
      if (isRestricted(other)) {
        told.add(new Equal(one, other));
      }
    }

    private boolean isRestricted(int table) {
      int number = Named.table(table);
      return query.tables().get(number).block() == condition.block()
          && number >= condition.first()
          && number < condition.behind();
    }

    // -------------------------------------------------------------- operands

    /** A column that names a schema, or a value; null: something else. */
    private @Nullable Operand operand(int token) {
      if (isDatabase(token)) {
        return new Operand(List.of(), named(own), behindCollation(token + 3));
      }
      if (tokens.kind(token) == TokenKind.STRING) {
        String text = text(token);
        return text == null
            ? null
            : new Operand(List.of(), named(text.stripTrailing()), behindCollation(token + 1));
      }
      if (!tokens.isName(token)) {
        return null;
      }
      int last = tokens.lastOfName(token);
      List<Integer> tables =
          tokens.isPunctuation(last + 1, '(') ? List.of() : columnOf(token, last);
      return tables.isEmpty() ? null : new Operand(tables, Set.of(), behindCollation(last + 1));
    }

    private boolean isDatabase(int token) {
      return tokens.isAnyWord(token, "DATABASE", "SCHEMA")
          && tokens.isPunctuation(token + 1, '(')
          && tokens.isPunctuation(token + 2, ')');
    }

    private int behindCollation(int token) {
      return tokens.isWord(token, "COLLATE") && tokens.isName(token + 1) ? token + 2 : token;
    }

    /**
     * Tables that a name may be the schema's column of; of several, a server says what it thinks.
     */
    private List<Integer> columnOf(int first, int last) {
      String column = tokens.lowerName(last);
      if (first == last) {
        return meant(condition, column);
      }
      Block block = query.block(condition.block());
      String table = tokens.lowerName(last - 2);
      for (int i = 0; i < MOST && block.isPassed(table); i++) {
        block = query.block(block.outer);
      }
      Integer number = block.byName.get(table);
      String name = number == null ? "" : query.tables().get(number).name();
      if (number == null || name.isEmpty()) {
        return List.of();
      }
      if (column.equals(SystemTables.referencedColumn(name))) {
        return List.of(Named.referenced(number));
      }
      return SystemTables.schemaColumns(name).contains(column)
          ? List.of(Named.own(number))
          : List.of();
    }

    /** What a literal says in lower case; null: nobody knows. */
    private @Nullable String text(int token) {
      String text = tokens.text(token);
      boolean isPlain =
          text.length() > 1
              && (text.charAt(0) == '\'' || text.charAt(0) == '"')
              && text.indexOf('\\') < 0
              && text.indexOf(text.charAt(0), 1) == text.length() - 1;
      return isPlain ? text.substring(1, text.length() - 1).toLowerCase(Locale.ROOT) : null;
    }

    /** The known names that are like a pattern, and itself, for others may be; null: any. */
    private @Nullable Set<String> alike(int token) {
      String pattern = text(token);
      if (pattern == null || pattern.chars().filter(c -> c == '%').count() > MOST_WILDCARDS) {
        return null;
      }
      var expression = new StringBuilder();
      for (int i = 0; i < pattern.length(); i++) {
        char letter = pattern.charAt(i);
        expression.append(
            switch (letter) {
              case '%' -> ".*";
              case '_' -> ".";
              default -> Pattern.quote(String.valueOf(letter));
            });
      }
      Pattern like = Pattern.compile(expression.toString(), Pattern.DOTALL);
      var names = new HashSet<String>(Set.of(pattern));
      known.stream().filter(name -> like.matcher(name).matches()).forEach(names::add);
      return names;
    }
  }
}
