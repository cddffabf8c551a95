package io.anabranch.rules.config.database;

import io.anabranch.rules.algorithm.audit.Auditor;
import io.anabranch.rules.config.type.AlgorithmReader;
import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ShardedTable.Audit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code auditors}, {@code defaultAuditStrategy} and the tables' {@code auditStrategy}. */
final class AuditReader {

  private final Definitions<Auditor> auditors;
  private final @Nullable Audit standard;

  AuditReader(Section rule, AlgorithmReader algorithms) {
    auditors = new Definitions<>("auditor", rule, "auditors", algorithms::auditor);
    standard = read(rule, "defaultAuditStrategy");
  }

  /** What a table's section says, else the rule's default. */
  @Nullable Audit read(Section table) {
    Audit own = read(table, "auditStrategy");
    return own == null ? standard : own;
  }

  void finish() {
    auditors.reportUnused();
  }

  private @Nullable Audit read(Section section, String key) {
    Section strategy = section.section(key);
    if (strategy == null) {
      return null;
    }
    Map<String, Auditor> named = new LinkedHashMap<>();
    for (Value name : strategy.items("auditorNames")) {
      Auditor auditor = auditors.get(name);
      String text = name.text();
      if (auditor != null && text != null) {
        named.put(text, auditor);
      }
    }
    boolean allowed = strategy.flag("allowHintDisable", false);
    strategy.close();
    return new Audit(named, allowed);
  }
}
