package io.anabranch.rules.config.database;

import io.anabranch.rules.config.yaml.Section;
import io.anabranch.rules.config.yaml.Value;
import io.anabranch.rules.model.ShardedTable.Audit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code auditors}, {@code defaultAuditStrategy} and the tables' {@code auditStrategy}. */
final class AuditReader {

  private static final String TYPE = "DML_SHARDING_CONDITIONS";

  private final Definitions<String> auditors;
  private final @Nullable Audit standard;

  AuditReader(Section rule) {
    auditors = new Definitions<>("auditor", rule, "auditors", AuditReader::auditor);
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
    List<String> names = new ArrayList<>();
    for (Value name : strategy.items("auditorNames")) {
      String text = name.text();
      if (auditors.get(name) != null && text != null) {
        names.add(text);
      }
    }
    boolean allowed = strategy.flag("allowHintDisable", false);
    strategy.close();
    return new Audit(names, allowed);
  }

  private static @Nullable String auditor(Section section) {
    String type = section.required("type");
    section.properties("props");
    section.close();
    if (!type.equalsIgnoreCase(TYPE)) {
      section
          .problems()
          .error(
              section.keyPlace("type"), "the auditor type " + type + " is unknown", "use " + TYPE);
      return null;
    }
    return TYPE;
  }
}
