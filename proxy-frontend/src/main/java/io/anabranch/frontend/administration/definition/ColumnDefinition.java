package io.anabranch.frontend.administration.definition;

import io.anabranch.rules.config.document.ConfigurationDocument;
import io.anabranch.rules.config.document.DocumentPart;
import io.anabranch.rules.config.document.DocumentPart.Mapping;
import io.anabranch.rules.config.document.DocumentPart.Scalar;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rules that say for columns of tables by which algorithm they are stored or shown: {@code
 * !ENCRYPT} and {@code !MASK}.
 */
public enum ColumnDefinition {
  ENCRYPT("encryptors", "encrypted") {
    @Override
    Mapping column(RuleEdit edit, String owner, Clause column, Mapping former) {
      column.takeOnly(
          "NAME",
          "CIPHER",
          "ENCRYPT_ALGORITHM",
          "ASSISTED_QUERY",
          "ASSISTED_QUERY_ALGORITHM",
          "LIKE_QUERY",
          "LIKE_QUERY_ALGORITHM");
      column.required("CIPHER");
      var entries = new LinkedHashMap<String, DocumentPart>();
      addStored(entries, "cipher", edit, owner, column, "CIPHER", "ENCRYPT_ALGORITHM", former);
      for (String query : List.of("ASSISTED_QUERY", "LIKE_QUERY")) {
        String key = query.equals("LIKE_QUERY") ? "likeQuery" : "assistedQuery";
        addStored(entries, key, edit, owner, column, query, query + "_ALGORITHM", former);
      }
      return new Mapping("", entries);
    }
  },

  MASK("maskAlgorithms", "masked") {
    @Override
    Mapping column(RuleEdit edit, String owner, Clause column, Mapping former) {
      column.takeOnly("NAME", "TYPE", "MASK_ALGORITHM");
      Clause type = column.part("TYPE");
      String algorithm =
          type == null
              ? column.required("MASK_ALGORITHM")
              : edit.define("maskAlgorithms", owner, type, former);
      return ShardingEdit.entry("maskAlgorithm", new Scalar("", algorithm));
    }
  };

  private static final String TABLES = "tables";

  private final String algorithms;
  private final String done;

  /**
   * @param algorithms where the rule has its definitions
   * @param done what happens to columns
   */
  ColumnDefinition(String algorithms, String done) {
    this.algorithms = algorithms;
    this.done = done;
  }

  /**
   * A column as the file has it.
   *
   * @param owner what definitions are called by
   * @param former what the file has of the table until now
   */
  abstract Mapping column(RuleEdit edit, String owner, Clause column, Mapping former);

  private static void addStored(
      Map<String, DocumentPart> entries,
      String key,
      RuleEdit edit,
      String owner,
      Clause column,
      String nameWord,
      String algorithmWord,
      Mapping former) {
    if (column.part(nameWord) == null && column.part(algorithmWord) == null) {
      return;
    }
    var stored = new LinkedHashMap<String, DocumentPart>();
    stored.put("name", new Scalar("", column.required(nameWord)));
    String encryptor = edit.chosen(ENCRYPT.algorithms, owner, column, algorithmWord, former);
    stored.put("encryptorName", new Scalar("", encryptor));
    entries.put(key, new Mapping("", stored));
  }

  /**
   * CREATE … RULE.
   *
   * @param isLenient tables that are there already stay as they are
   */
  public ConfigurationDocument create(
      ConfigurationDocument document, List<Clause> tables, boolean isLenient) {
    RuleEdit edit = edit(document);
    for (Clause table : tables) {
      if (edit.named(TABLES, table.name()) == null) {
        put(edit, table.name(), table, Mapping.EMPTY);
      } else if (!isLenient) {
        throw Clause.refused("the table `" + table.name() + "` has " + done + " columns already");
      }
    }
    return edit.document();
  }

  /** ALTER … RULE: the whole rule of a table. */
  public ConfigurationDocument alter(ConfigurationDocument document, List<Clause> tables) {
    RuleEdit edit = edit(document);
    for (Clause table : tables) {
      String name = required(edit, table.name());
      Mapping former = edit.rule().mapping(TABLES).mapping(name);
      put(edit, name, table, former);
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  /**
   * DROP … RULE.
   *
   * @param isLenient tables that are not there are passed over
   */
  public ConfigurationDocument drop(
      ConfigurationDocument document, List<String> tables, boolean isLenient) {
    RuleEdit edit = edit(document);
    for (String table : tables) {
      if (isLenient && edit.named(TABLES, table) == null) {
        continue;
      }
      String name = required(edit, table);
      Mapping former = edit.rule().mapping(TABLES).mapping(name);
      edit.remove(TABLES, name);
      edit.removeUnnamed(former);
    }
    return edit.document();
  }

  private RuleEdit edit(ConfigurationDocument document) {
    return new RuleEdit(document, name(), algorithms);
  }

  private String required(RuleEdit edit, String table) {
    String name = edit.named(TABLES, table);
    if (name == null) {
      throw Clause.refused("there is no table `" + table + "` with " + done + " columns");
    }
    return name;
  }

  private void put(RuleEdit edit, String name, Clause table, Mapping former) {
    table.takeOnly("COLUMNS");
    Clause columns = table.part("COLUMNS");
    if (columns == null || columns.parts().isEmpty()) {
      throw Clause.refused("`" + table.name() + "` needs COLUMNS((NAME = …, …), …)");
    }
    var entries = new LinkedHashMap<String, DocumentPart>();
    for (Clause column : columns.parts()) {
      String called = column.required("NAME");
      Mapping made =
          column(edit, name + "_" + called, new Clause(called, null, column.parts()), former);
      if (entries.put(called, made) != null) {
        throw Clause.refused("the column `" + called + "` is there twice");
      }
    }
    edit.put(ShardingEdit.entry("columns", new Mapping("", entries)), TABLES, name);
  }
}
