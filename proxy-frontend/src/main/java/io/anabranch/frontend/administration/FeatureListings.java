package io.anabranch.frontend.administration;

import io.anabranch.frontend.administration.rule.ColumnText;
import io.anabranch.frontend.administration.rule.ShadowText;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.plan.ResultColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Encrypted and masked columns, and shadows. */
final class FeatureListings {

  static final List<ResultColumn> ENCRYPTED =
      Columns.of(
          "table",
          "logic_column",
          "cipher_column",
          "assisted_query_column",
          "like_query_column",
          "encryptor_type",
          "encryptor_props",
          "assisted_query_type",
          "assisted_query_props",
          "like_query_type",
          "like_query_props");

  static final List<ResultColumn> MASKED =
      Columns.of("table", "column", "algorithm_type", "algorithm_props");

  static final List<ResultColumn> SHADOWS =
      Columns.of("rule_name", "source_name", "shadow_name", "shadow_table");

  static final List<ResultColumn> SHADOW_TABLES =
      Columns.of("shadow_table", "shadow_algorithm_name");

  static final List<ResultColumn> SHADOW_ALGORITHMS =
      Columns.of("shadow_algorithm_name", "type", "props", "is_default");

  private FeatureListings() {}

  static List<List<String>> encrypted(Request request) {
    return tables(request, "ENCRYPT", ColumnText::encrypted);
  }

  static List<List<String>> masked(Request request) {
    return tables(request, "MASK", ColumnText::masked);
  }

  /** Of all tables, or of the one that is asked for. */
  private static List<List<String>> tables(
      Request request, String tag, BiFunction<Mapping, String, List<List<String>>> rowsOf) {
    Mapping rule = request.document().rule(tag);
    var rows = new ArrayList<List<String>>();
    for (String table : rule.mapping("tables").entries().keySet()) {
      if (request.wants("table", table)) {
        rows.addAll(rowsOf.apply(rule, table));
      }
    }
    return rows;
  }

  /** All pairs, or the one that is asked for. */
  static List<List<String>> shadows(Request request) {
    ShadowText shadow = shadow(request);
    var rows = new ArrayList<List<String>>();
    for (String pair : rule(request).mapping("dataSources").entries().keySet()) {
      if (request.wants("name", pair)) {
        rows.addAll(shadow.pair(pair));
      }
    }
    return rows;
  }

  static List<List<String>> shadowTables(Request request) {
    return shadow(request).tables();
  }

  static List<List<String>> shadowAlgorithms(Request request) {
    return shadow(request).algorithms();
  }

  static List<List<String>> defaultShadowAlgorithm(Request request) {
    return shadow(request).algorithms().stream()
        .filter(row -> row.getLast().equals("true"))
        .toList();
  }

  private static Mapping rule(Request request) {
    return request.document().rule("SHADOW");
  }

  private static ShadowText shadow(Request request) {
    return new ShadowText(rule(request));
  }
}
