package io.anabranch.app.differential;

import io.anabranch.app.differential.Verdict.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Makes a failing query small: first its parts, then the rows under it. */
final class Shrinking {

  private final Arena.Bout bout;
  private final List<Views.View> views;
  private List<Sample.Table> tables;
  private final String detail;
  private Query query;

  /**
   * @param sample with the tables and rows that the query fails over; made anew on the way
   * @param detail of the failure
   */
  Shrinking(Arena.Bout bout, Sample sample, Query query, String detail) {
    this.detail = detail;
    this.bout = bout;
    this.views = sample.views();
    this.tables = sample.tables();
    this.query = query;
  }

  /** A regression file: tables, rows, the query; both answers as comments. */
  String small() {
    bout.load(tables);
    if (!fails(query)) {
      return "-- only after what ran before it:\n" + query.sql() + ";\n" + detail;
    }
    for (Query smaller = smaller(); smaller != null; smaller = smaller()) {
      query = smaller;
    }
    for (int table = 0; table < tables.size(); table++) {
      fewerRows(table);
    }
    bout.load(tables);
    return text(bout.compare(query).detail());
  }

  private boolean fails(Query candidate) {
    return bout.compare(candidate).outcome() == Outcome.DIFFERENT;
  }

  private Query smaller() {
    return query.smaller().stream().filter(this::fails).findFirst().orElse(null);
  }

  private void fewerRows(int table) {
    int step = Math.max(1, tables.get(table).rows().size() / 2);
    while (step >= 1) {
      boolean removed = false;
      for (int from = 0; from < tables.get(table).rows().size(); from += step) {
        List<Sample.Table> before = tables;
        tables = without(table, from, step);
        bout.load(tables);
        if (fails(query)) {
          removed = true;
          from -= step;
        } else {
          tables = before;
        }
      }
      step = removed && step > 1 ? step : step / 2;
    }
  }

  private List<Sample.Table> without(int table, int from, int count) {
    var all = new ArrayList<>(tables);
    Sample.Table old = all.get(table);
    var rows = new ArrayList<>(old.rows());
    rows.subList(from, Math.min(rows.size(), from + count)).clear();
    all.set(table, new Sample.Table(old.name(), old.keys(), old.columns(), rows));
    return List.copyOf(all);
  }

  private String text(String answers) {
    var text = new StringBuilder();
    answers.lines().forEach(line -> text.append("-- ").append(line).append('\n'));
    for (Sample.Table table : tables) {
      boolean used = query.sql().contains(table.name());
      if (used || !table.rows().isEmpty()) {
        text.append(table.create()).append(";\n");
      }
      if (!table.rows().isEmpty()) {
        text.append(table.insert(table.rows())).append(";\n");
      }
    }
    for (Views.View view : views) {
      // one may be made of another
      boolean used = query.sql().matches("(?s).*\\b" + view.name() + "\\b.*");
      boolean within = view.name().equals("va") && query.sql().contains("vn");
      if (used || within) {
        text.append(view.create()).append(";\n");
      }
    }
    return text.append(query.sql()).append(";\n").toString();
  }
}
