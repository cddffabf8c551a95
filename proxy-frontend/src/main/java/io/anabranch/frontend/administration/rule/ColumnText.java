package io.anabranch.frontend.administration.rule;

import io.anabranch.rules.config.document.DocumentPart.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Columns of a table that are stored or shown by an algorithm: {@code !ENCRYPT}, {@code !MASK}. */
public final class ColumnText {

  private ColumnText() {}

  /**
   * A row for each column: table, column, what is stored and by which algorithms; empty cells for
   * what is not there.
   *
   * @param rule has the encryptors
   */
  public static List<List<String>> encrypted(Mapping rule, String table) {
    Mapping encryptors = rule.mapping("encryptors");
    var rows = new ArrayList<List<String>>();
    columns(rule, table)
        .forEach(
            (name, column) -> {
              var stored =
                  List.of(
                      Stored.of(column, "cipher", "cipherColumn", "encryptorName"),
                      Stored.of(
                          column,
                          "assistedQuery",
                          "assistedQueryColumn",
                          "assistedQueryEncryptorName"),
                      Stored.of(column, "likeQuery", "likeQueryColumn", "likeQueryEncryptorName"));
              var row = new ArrayList<>(List.of(table, name));
              stored.forEach(each -> row.add(each.name()));
              for (Stored each : stored) {
                Mapping encryptor = encryptors.mapping(each.encryptor());
                row.add(AlgorithmText.type(encryptor));
                row.add(AlgorithmText.props(encryptor));
              }
              rows.add(row);
            });
    return rows;
  }

  /**
   * A row for each column: table, column, algorithm.
   *
   * @param rule has the algorithms
   */
  public static List<List<String>> masked(Mapping rule, String table) {
    var rows = new ArrayList<List<String>>();
    columns(rule, table)
        .forEach(
            (name, column) -> {
              Mapping algorithm =
                  rule.mapping("maskAlgorithms").mapping(column.shown("maskAlgorithm"));
              rows.add(
                  List.of(
                      table, name, AlgorithmText.type(algorithm), AlgorithmText.props(algorithm)));
            });
    return rows;
  }

  private static Map<String, Mapping> columns(Mapping rule, String table) {
    return rule.mapping("tables").mapping(table).mapping("columns").mappings();
  }

  private record Stored(String name, String encryptor) {

    /** Older files have flat keys in the place of a part. */
    private static Stored of(Mapping column, String key, String flatName, String flatEncryptor) {
      Mapping part = column.mapping(key);
      return column.has(flatName)
          ? new Stored(column.shown(flatName), column.shown(flatEncryptor))
          : new Stored(part.shown("name"), part.shown("encryptorName"));
    }
  }
}
