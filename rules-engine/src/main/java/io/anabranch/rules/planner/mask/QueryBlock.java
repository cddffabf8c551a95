package io.anabranch.rules.planner.mask;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A parenthesis, or the whole statement, and the query in it, while its tokens are read. */
final class QueryBlock {

  /** Whether a query in it is shown, or is read by one that is. */
  final boolean isVisible;

  /** Whether its select list does not matter: behind EXISTS. */
  final boolean isBoolean;

  /** Whether it holds a SELECT of a UNION that is around it, or all of the query. */
  final boolean isLeg;

  /**
   * Upper case; {@code SELECT} in a select list; {@code WITH}, {@code UNION} in front of a SELECT;
   * {@code LEG} behind one in parentheses; empty outside of queries.
   */
  String clause = "";

  /** Where the current item of the select list begins. */
  int item;

  /** What a list calls the columns of the common table that follows. */
  @Nullable List<String> list;

  private final List<List<Output>> legs = new ArrayList<>();
  private List<Output> outputs = new ArrayList<>();

  /**
   * Of the current SELECT: aliases of what is in FROM, in lower case, to names; empty: no table.
   */
  private final Map<String, String> sources = new HashMap<>();

  /**
   * A column of a query's answer.
   *
   * @param name for sure what servers call it; null: that cannot be told
   * @param column what it is if it is a column and nothing else; null: it is more, or a value
   * @param qualifier in front of the column; empty: there is none
   * @param table that the column is of for sure; empty: that is not known
   * @param isText whether it is a text of the statement's, or NULL
   */
  record Output(
      @Nullable String name,
      @Nullable String column,
      String qualifier,
      String table,
      boolean isStar,
      boolean isText) {

    static final Output STAR = new Output(null, null, "", "", true, false);

    Output called(String other) {
      return new Output(other, column, qualifier, table, isStar, isText);
    }
  }

  QueryBlock(boolean isVisible, boolean isBoolean, boolean isLeg) {
    this.isVisible = isVisible;
    this.isBoolean = isBoolean;
    this.isLeg = isLeg;
  }

  /** A SELECT begins. */
  void begin(int firstItem) {
    clause = "SELECT";
    item = firstItem;
    sources.clear();
  }

  void add(Output output) {
    outputs.add(output);
  }

  /** Something in FROM. */
  void source(String alias, String table) {
    String lower = alias.toLowerCase(Locale.ROOT);
    sources.put(lower, sources.containsKey(lower) ? "" : table);
  }

  /** What is joined in parentheses belongs to the query around them. */
  void join(QueryBlock inner) {
    inner.sources.forEach(this::source);
  }

  /** A SELECT in parentheses is one of the query's. */
  void leg(List<Output> inner) {
    outputs = inner;
    clause = "LEG";
  }

  /** A SELECT is over: where its columns are from is known. */
  void endLeg() {
    if (!outputs.isEmpty()) {
      legs.add(clause.equals("LEG") ? outputs : outputs.stream().map(this::resolved).toList());
      outputs = new ArrayList<>();
    }
  }

  private Output resolved(Output output) {
    String alias = output.qualifier().toLowerCase(Locale.ROOT);
    String table =
        !alias.isEmpty()
            ? sources.getOrDefault(alias, "")
            : sources.size() == 1 ? sources.values().iterator().next() : "";
    return new Output(
        output.name(), output.column(), alias, table, output.isStar(), output.isText());
  }

  /** The columns of each SELECT that has ended. */
  List<List<Output>> legs() {
    return legs;
  }

  /** Whether a query, or the next SELECT of it, may begin. */
  boolean mayBegin() {
    return clause.isEmpty() || clause.equals("UNION") || clause.equals("WITH");
  }

  boolean isIn(String word) {
    return clause.equals(word);
  }

  /** Whether it is a query, or one has begun: no tables in parentheses. */
  boolean isQuery() {
    return !outputs.isEmpty() || !legs.isEmpty();
  }
}
