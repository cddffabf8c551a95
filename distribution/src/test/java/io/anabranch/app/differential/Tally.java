package io.anabranch.app.differential;

import java.util.Map;
import java.util.TreeMap;

/** Counts what a run over one layout gave; queries apart from changes. */
final class Tally {

  static final String HEAD =
      """
      | Layout | Seeds | Queries | Changes of rows | Differences | Queries refused |
      | --- | --- | --- | --- | --- | --- |
      """;

  private final Map<String, Integer> refusals = new TreeMap<>();
  private int queries;
  private int changes;
  private int refusedQueries;
  private int differences;

  void add(Query query, Verdict verdict) {
    if (query.isQuery()) {
      queries++;
    } else {
      changes++;
    }
    switch (verdict.outcome()) {
      case SAME -> {}
      case DIFFERENT -> differences++;
      case REFUSED -> {
        refusedQueries += query.isQuery() ? 1 : 0;
        refusals.merge(verdict.detail(), 1, Integer::sum);
      }
    }
  }

  /** Of all queries, from 0 to 1. */
  double refusedShare() {
    return queries == 0 ? 0 : (double) refusedQueries / queries;
  }

  /** A row of the table in {@code docs/compatibility.md}. */
  String row(Layout layout, String seeds) {
    return "| %s | %s | %d | %d | %d | %d (%.2f %%) |%n"
        .formatted(
            layout.title(),
            seeds.replace(",", " to "),
            queries,
            changes,
            differences,
            refusedQueries,
            100 * refusedShare());
  }

  /** Reasons of refusals, the most frequent first; a line each. */
  String reasons() {
    var text = new StringBuilder();
    refusals.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .forEach(e -> text.append(e.getValue()).append(" × ").append(e.getKey()).append('\n'));
    return text.toString();
  }
}
