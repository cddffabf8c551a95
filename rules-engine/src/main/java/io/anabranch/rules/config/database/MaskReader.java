package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.mask.Masker;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Names;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.protection.Masks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** {@code !MASK}. */
final class MaskReader {

  private final Section rule;
  private final Set<String> accounts;
  private final Definitions<Masker> maskers;
  private final Map<String, Map<String, Masker>> columns = new HashMap<>();

  /**
   * @param accounts names of those who may log in
   */
  MaskReader(Section rule, Set<String> accounts, AlgorithmReader algorithms) {
    this.rule = rule;
    this.accounts = accounts;
    this.maskers = new Definitions<>("mask algorithm", rule, "maskAlgorithms", algorithms::masker);
  }

  Masks read() {
    rule.named("tables").forEach(this::readTable);
    maskers.reportUnused();
    Set<String> users = users();
    rule.close();
    return new Masks(columns, users);
  }

  private void readTable(String name, Section section) {
    var masked = new HashMap<String, Masker>();
    section
        .named("columns")
        .forEach(
            (column, definition) -> {
              definition.required("maskAlgorithm");
              Masker masker = maskers.get(definition.value("maskAlgorithm"));
              definition.close();
              if (masker != null && masked.put(column.toLowerCase(Locale.ROOT), masker) != null) {
                definition.error("the column `" + column + "` is there twice", null);
              }
            });
    section.close();
    if (masked.isEmpty()) {
      section.error("the table `" + name + "` has no masked column", "name one, or remove it");
    } else if (columns.put(name.toLowerCase(Locale.ROOT), Map.copyOf(masked)) != null) {
      section.error("the table `" + name + "` is there twice", null);
    }
  }

  private Set<String> users() {
    Value listed = rule.value("users");
    if (listed == null) {
      return Set.of();
    }
    List<String> names = Names.list(listed);
    Accounts.check(names, accounts, listed::error);
    var users = new HashSet<String>();
    names.forEach(name -> users.add(name.toLowerCase(Locale.ROOT)));
    return users;
  }
}
