package io.anabranch.rules.planner.program;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.TriggerSyntax;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.table.Triggers;
import io.anabranch.rules.table.Triggers.Trigger;
import io.anabranch.rules.task.FixedPlan;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * CREATE, DROP and SHOW CREATE TRIGGER. A sharded table's trigger is one on each of its nodes,
 * called like the trigger with the node's name behind it; what it does must lie beside the row.
 * Used once.
 */
public final class TriggerPlanner {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;

  public TriggerPlanner(PlanTask task, SourceText source) {
    this.task = task;
    this.source = source;
    this.tokens = source.tokens();
  }

  /**
   * CREATE and DROP.
   *
   * @param word token of the word TRIGGER
   */
  public StatementPlan plan(int word) {
    return tokens.isWord(0, "DROP") ? drop(word) : create(TriggerSyntax.read(source, word));
  }

  // ---------------------------------------------------------------- CREATE

  private StatementPlan create(TriggerSyntax syntax) {
    TableMention table = syntax.table();
    requireHere(syntax.trigger());
    TableMention other = syntax.other();
    if (other != null) {
      requireHere(other);
    }
    TablePlace place = new TableDirectory(task).require(table.qualifier(), table.name());
    refuseSecond(syntax);
    var checks = new TriggerChecks(task, source, syntax);
    var nodes = new ArrayList<DataNode>();
    var partners = new ArrayList<TableMention>();
    switch (place) {
      case TablePlace.Sharded sharded -> {
        partners.addAll(checks.ofSharded(sharded.table()));
        nodes.addAll(sharded.table().nodes());
      }
      case TablePlace.Broadcast broadcast -> {
        checks.ofBroadcast();
        nodes.addAll(broadcast.nodes(task));
      }
      case TablePlace.Single single -> {
        checks.ofSingle(single.endpoint());
        nodes.add(new DataNode(single.endpoint(), single.name()));
      }
      case TablePlace.Absent absent -> throw new TableDirectory(task).unknown(absent.name());
    }
    return made(syntax, place, nodes, partners);
  }

  /** A trigger is in the database of its table, and found by its name in the current one. */
  private void requireHere(TableMention trigger) {
    String qualifier = trigger.qualifier();
    if (qualifier == null || qualifier.equalsIgnoreCase(task.database().name())) {
      return;
    }
    new TableDirectory(task).requireDatabase(qualifier);
    throw ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a trigger of another logical database (" + qualifier + "." + trigger.name() + ")",
        "USE that database first");
  }

  private StatementPlan made(
      TriggerSyntax syntax, TablePlace place, List<DataNode> nodes, List<TableMention> partners) {
    var mentions = new ArrayList<>(List.of(syntax.trigger(), syntax.table()));
    TableMention other = syntax.other();
    if (other != null) {
      mentions.add(other);
    }
    mentions.addAll(partners);
    SqlTemplate template = new TableRewriting(source, task.database().name(), mentions).template();
    var directory = new TableDirectory(task);
    var targets = new ArrayList<AimedText>();
    Map<String, String> shown = new HashMap<>();
    for (int node = 0; node < nodes.size(); node++) {
      String actual = nodes.get(node).table();
      String table = syntax.table().name();
      var names = new ArrayList<String>();
      names.add(TriggerSyntax.actual(syntax.trigger().name(), actual, table));
      names.add(actual);
      if (other != null) {
        names.add(TriggerSyntax.actual(other.name(), actual, table));
      }
      if (place instanceof TablePlace.Sharded sharded) {
        for (TableMention partner : partners) {
          names.add(directory.partner(partner, sharded.table(), node));
        }
      }
      shown.put(names.getFirst(), syntax.trigger().name());
      shown.put(actual, table);
      targets.add(template.aimedAt(nodes.get(node).dataSource(), names));
    }
    var mapping = new NameMapping(task.database().name(), shown);
    return new TemplatePlan(task.scan().kind(), mapping, targets, false);
  }

  /** A name stands for one trigger in a database. */
  private void refuseSecond(TriggerSyntax syntax) {
    String name = syntax.trigger().name();
    for (Trigger one : new Triggers(task).named(name)) {
      boolean isSame = one.table().equalsIgnoreCase(syntax.table().name());
      if (!isSame || !syntax.mayExist()) {
        throw ErrorCatalogue.TRIGGER_EXISTS.refuse(name);
      }
    }
  }

  // ---------------------------------------------------------------- DROP, SHOW CREATE

  private StatementPlan drop(int word) {
    TableMention trigger = TableMention.at(source, TableMention.behindCondition(tokens, word + 1));
    requireHere(trigger);
    List<Trigger> found = new Triggers(task).named(trigger.name());
    if (found.isEmpty()) {
      return ofNone(trigger);
    }
    SqlTemplate template =
        new TableRewriting(source, task.database().name(), List.of(trigger)).template();
    List<AimedText> targets =
        found.stream()
            .map(one -> template.aimedAt(one.node().dataSource(), List.of(one.actual())))
            .toList();
    return new TemplatePlan(task.scan().kind(), names(found), targets, false);
  }

  /** A server says what it does of one that is nowhere; it is asked for none that it has. */
  private StatementPlan ofNone(TableMention trigger) {
    String asked = new Triggers(task).unused(trigger.name());
    SqlTemplate template =
        new TableRewriting(source, task.database().name(), List.of(trigger)).template();
    AimedText target = template.aimedAt(new TableDirectory(task).defaultEndpoint(), List.of(asked));
    var mapping = new NameMapping(task.database().name(), Map.of(asked, trigger.name()));
    return new TemplatePlan(task.scan().kind(), mapping, List.of(target), false);
  }

  private NameMapping names(List<Trigger> triggers) {
    Map<String, String> names = new HashMap<>();
    triggers.forEach(one -> names.put(one.actual(), one.name()));
    return new NameMapping(task.database().name(), names);
  }

  /**
   * SHOW CREATE TRIGGER: as a client would write it.
   *
   * @param name token of the trigger's name
   */
  public StatementPlan showCreate(int name) {
    TableMention trigger = TableMention.at(source, name);
    List<Trigger> found = new Triggers(task).named(trigger.name());
    if (found.isEmpty()) {
      return ofNone(trigger);
    }
    int nearest = task.nearest(found.size(), i -> found.get(i).node().dataSource());
    Trigger one = found.get(nearest);
    String sql = "SHOW CREATE TRIGGER " + TableNames.quoted(one.actual());
    ShardQuery query = ShardQuery.text(one.node().dataSource(), source.encode(sql));
    String text =
        String.valueOf(task.catalog().rows(one.node().dataSource(), sql).getFirst().get(2));
    Map<String, String> cells = new HashMap<>(Map.of(one.actual(), one.name()));
    cells.put(text, logical(text, one));
    PlanNode route = new PlanNode.Route(List.of(query), task.catalog().describe(query));
    PlanNode root = new PlanNode.MapCells(route, List.of(0, 2), cells);
    return FixedPlan.of(task, Access.WRITE, names(found), new BoundPlan.Merged(root));
  }

  private String logical(String text, Trigger trigger) {
    String logical = word(text, trigger.actual(), trigger.name());
    logical = word(logical, trigger.node().table(), trigger.table());
    for (ShardedTable table : task.database().shardedTables().values()) {
      for (DataNode node : table.nodes()) {
        if (node.dataSource().equals(trigger.node().dataSource())) {
          logical = word(logical, node.table(), table.name());
        }
      }
    }
    return logical;
  }

  private static String word(String text, String from, String to) {
    return from.equals(to)
        ? text
        : text.replaceAll(
            "(?<![\\w$])" + Pattern.quote(from) + "(?![\\w$])", Matcher.quoteReplacement(to));
  }
}
