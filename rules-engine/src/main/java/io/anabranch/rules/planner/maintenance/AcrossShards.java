package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.catalog.PartDefinitions;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.definition.DefinitionDrift;
import io.anabranch.rules.definition.DefinitionDrift.Difference;
import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.definition.TableDefinition;
import io.anabranch.rules.definition.TableKey;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ResultColumn;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.TableProbe;
import io.anabranch.rules.plan.TableProbe.Finding;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * CHECK TABLE … ACROSS SHARDS: whether the parts of tables are alike, rows lie where they are
 * looked for, keys are unique over nodes, and copies are equal. Definitions are compared while it
 * is planned, rows while it runs. Used once.
 */
public final class AcrossShards {

  private final PlanTask task;
  private final List<ResultColumn> columns;
  private final PartDefinitions definitions;

  /**
   * @param columns of the answer
   */
  AcrossShards(PlanTask task, List<ResultColumn> columns) {
    this.task = task;
    this.columns = columns;
    this.definitions = task.definitions();
  }

  /** Whether the statement ends with ACROSS SHARDS. */
  static boolean isAsked(SqlTokens tokens, DdlSyntax syntax) {
    if (syntax.tables().isEmpty() || !tokens.isWord(0, "CHECK")) {
      return false;
    }
    int behind = syntax.tables().getLast().behind();
    return tokens.isWord(behind, "ACROSS") && tokens.isWord(behind + 1, "SHARDS");
  }

  /** Null: it is another statement. */
  public static boolean isAsked(SourceText source) {
    SqlTokens tokens = source.tokens();
    int last = tokens.behindStatement() - 1;
    return tokens.isWord(0, "CHECK")
        && tokens.isWord(last, "SHARDS")
        && tokens.isWord(last - 1, "ACROSS");
  }

  StatementPlan plan(SourceText source, DdlSyntax syntax) {
    int end = syntax.tables().getLast().behind() + 2;
    SqlTokens tokens = source.tokens();
    if (end < tokens.size() && !tokens.isPunctuation(end, ';')) {
      throw TableMention.syntaxError(source, end);
    }
    var probes = new ArrayList<TableProbe>();
    for (TableMention mention : syntax.tables()) {
      if (task.database().isPassThrough()) {
        passThrough(mention, probes);
      } else {
        probes(mention, probes);
      }
    }
    return FixedPlan.of(
        task,
        StatementPlan.Access.WRITE,
        NameMapping.ofSchema(task.database().name()),
        new BoundPlan.Merged(new PlanNode.TableCheck(probes, columns)));
  }

  private String shown(String table) {
    return task.database().name() + "." + table;
  }

  private void passThrough(TableMention mention, List<TableProbe> probes) {
    String qualifier = mention.qualifier();
    if (qualifier != null && !qualifier.equalsIgnoreCase(task.database().name())) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "CHECK TABLE … ACROSS SHARDS of a table of another database", "USE that database first");
    }
    String endpoint = task.database().endpoints().getFirst();
    boolean isThere = task.catalog().table(endpoint, mention.name()).isPresent();
    tell(
        probes,
        mention.name(),
        isThere
            ? new Finding("note", "the database has one data source: nothing to compare")
            : absent(mention.name()));
  }

  private Finding absent(String name) {
    return new Finding(
        "error", String.valueOf(new TableDirectory(task).unknown(name).getMessage()));
  }

  private void tell(List<TableProbe> probes, String table, Finding... findings) {
    probes.add(TableProbe.told(shown(table), List.of(findings)));
  }

  private void probes(TableMention mention, List<TableProbe> probes) {
    switch (new TableDirectory(task).find(mention.qualifier(), mention.name())) {
      case TablePlace.Sharded sharded -> sharded(sharded.table(), probes);
      case TablePlace.Broadcast broadcast -> broadcast(broadcast.name(), probes);
      case TablePlace.Single single ->
          tell(
              probes,
              single.name(),
              new Finding(
                  "note",
                  "it is in data source '" + single.endpoint() + "' alone: nothing to compare"));
      case TablePlace.Absent absent -> tell(probes, absent.name(), absent(absent.name()));
    }
  }

  /**
   * The parts that are there, and what is to be said of them all.
   *
   * @param nodes that have the table
   * @param model as most of them have it
   */
  private record Parts(
      List<DataNode> nodes, List<TableDefinition> found, TableDefinition model, String modelNode) {}

  private Optional<Parts> parts(List<DataNode> nodes, List<Finding> findings) {
    var there = new ArrayList<DataNode>();
    var found = new ArrayList<TableDefinition>();
    var missing = new ArrayList<DataNode>();
    for (DataNode node : nodes) {
      try {
        Optional<TableDefinition> definition = definitions.of(node);
        if (definition.isPresent()) {
          there.add(node);
          found.add(definition.get());
        } else {
          missing.add(node);
        }
      } catch (RefusedException | SchemaCatalog.DescribeException refusal) {
        findings.add(new Finding("error", called(node) + ": " + refusal.getMessage()));
      }
    }
    if (found.isEmpty()) {
      missing.forEach(node -> findings.add(missing(node, "")));
      return Optional.empty();
    }
    int model = DefinitionDrift.commonest(found);
    String modelNode = called(there.get(model));
    for (DataNode node : missing) {
      findings.add(missing(node, modelNode));
    }
    for (int i = 0; i < found.size(); i++) {
      DataNode node = there.get(i);
      for (Difference each :
          DefinitionDrift.between(node.table(), found.get(model), found.get(i))) {
        findings.add(
            new Finding(
                "error",
                "definition: "
                    + called(node)
                    + ": "
                    + each.told()
                    + " (as in "
                    + modelNode
                    + "); repair: "
                    + hinted(node, each.repair())));
      }
    }
    return Optional.of(new Parts(there, found, found.get(model), modelNode));
  }

  private static Finding missing(DataNode node, String model) {
    String repair =
        model.isEmpty()
            ? "CREATE TABLE through the proxy makes all parts"
            : "CREATE TABLE IF NOT EXISTS through the proxy with the definition of " + model;
    return new Finding("error", "missing: " + called(node) + " is not there; repair: " + repair);
  }

  static String called(DataNode node) {
    return node.dataSource() + "." + node.table();
  }

  /** A statement for one data source, past the rules. */
  static String hinted(DataNode node, String sql) {
    return sql.startsWith("ALTER") || sql.startsWith("DELETE")
        ? "/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=" + node.dataSource() + " */ " + sql
        : sql;
  }

  private void sharded(ShardedTable table, List<TableProbe> probes) {
    String shown = shown(table.name());
    var findings = new ArrayList<Finding>();
    Optional<Parts> parts = parts(table.nodes(), findings);
    if (parts.isEmpty()) {
      probes.add(TableProbe.told(shown, findings));
      return;
    }
    var keys = ShardKeys.of(table, parts.get().model());
    keys.loose(parts.get().model().keys())
        .forEach(key -> findings.add(new Finding("warning", keys.warning(key))));
    probes.add(TableProbe.told(shown, findings));
    var questions = new ShardQuestions(task, shown, table, parts.get().nodes());
    for (int i = 0; i < parts.get().nodes().size(); i++) {
      probes.add(questions.misplaced(parts.get().nodes().get(i), parts.get().found().get(i)));
    }
    for (TableKey key : parts.get().model().keys()) {
      if (keys.mayRepeat(key)) {
        probes.add(questions.repeated(key));
      }
    }
  }

  private void broadcast(String name, List<TableProbe> probes) {
    String shown = shown(name);
    var findings = new ArrayList<Finding>();
    List<DataNode> nodes = task.database().everywhere(name);
    Optional<Parts> parts = parts(nodes, findings);
    probes.add(TableProbe.told(shown, findings));
    if (parts.isEmpty() || parts.get().nodes().size() < 2) {
      return;
    }
    boolean comparable =
        parts.get().found().stream()
            .allMatch(
                each ->
                    each.columns().stream()
                        .map(TableDefinition.Item::name)
                        .toList()
                        .equals(
                            parts.get().model().columns().stream()
                                .map(TableDefinition.Item::name)
                                .toList()));
    probes.add(
        comparable
            ? new CopyQuestions(task, shown, name, parts.get().nodes(), parts.get().model())
                .copies()
            : TableProbe.told(
                shown,
                List.of(
                    new Finding(
                        "note", "rows of the copies are compared once their columns are equal"))));
  }

  /** {@code `a` = 1 AND `b` = 'x'}, for people. */
  static String condition(List<String> names, List<String> values) {
    var text = new StringBuilder();
    for (int i = 0; i < names.size(); i++) {
      text.append(i == 0 ? "" : " AND ")
          .append(TableNames.quoted(names.get(i)))
          .append(values.get(i).equals("NULL") ? " IS NULL" : " = " + values.get(i));
    }
    return text.toString();
  }
}
