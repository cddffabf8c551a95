package io.anabranch.rules.planner.definition;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.definition.ShardKeys;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CopyChecks;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.PlanNode;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.planner.program.RoutinePlanner;
import io.anabranch.rules.planner.program.TriggerPlanner;
import io.anabranch.rules.planner.view.ViewPlanner;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.CreateQuery;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.SessionWords;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.TriggerSyntax;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.TemplatePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/**
 * CREATE, ALTER, DROP, RENAME and TRUNCATE: done to every actual table of a sharded one, on every
 * endpoint for broadcast tables. Reads tokens: DDL has more dialects than any parser knows.
 */
public final class DdlPlanner implements KindPlanner {

  private final KindPlanner statements;

  /**
   * @param statements plans the rows of CREATE TABLE … SELECT
   */
  public DdlPlanner(KindPlanner statements) {
    this.statements = statements;
  }

  @Override
  public StatementPlan plan(PlanTask task) {
    SourceText source = task.source();
    DdlSyntax syntax = DdlSyntax.read(source);
    if (syntax.tables().isEmpty()) {
      return otherObject(task, source);
    }
    UnknownDatabase.check(task, source.tokens(), syntax);
    refuseHidden(task, source, syntax);
    StatementPlan ofTemporary = new TemporaryPlanner(task, source, syntax, statements).plan();
    if (ofTemporary != null) {
      return ofTemporary;
    }
    if (task.scan().kind() == StatementKind.RENAME) {
      return new RenamePlanner(task, source, syntax).plan();
    }
    boolean defines = !syntax.list() && task.scan().kind() != StatementKind.TRUNCATE;
    return defines ? reviewed(task, source, syntax) : plan(task, source, syntax);
  }

  /** The rows of a new table come over a connection to which its name is the temporary table. */
  private static void refuseHidden(PlanTask task, SourceText source, DdlSyntax syntax) {
    String name = syntax.tables().getFirst().name();
    boolean isHidden =
        CreateQuery.of(source.tokens(), syntax) != null
            && !TemporaryTables.isCreate(source.tokens())
            && task.scope().temporaries().find(name) != null;
    if (isHidden) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "CREATE TABLE … SELECT under the name of the temporary table '" + name + "'",
          "drop the temporary table, or give the new table another name");
    }
  }

  /** What a definition of several nodes has left is looked at. */
  private StatementPlan reviewed(PlanTask task, SourceText source, DdlSyntax syntax) {
    TableMention mention = syntax.tables().getFirst();
    TablePlace place = new TableDirectory(task).find(mention.qualifier(), mention.name());
    SqlTokens tokens = source.tokens();
    if (place instanceof TablePlace.Sharded sharded) {
      new DefinitionGuard(task, tokens, syntax, sharded.table()).check();
      refuseKeysOfModel(task, tokens, syntax, sharded.table());
    }
    List<DataNode> nodes = nodes(task, place);
    if (nodes.size() > 1) {
      DefinitionGuard.refuseNumbers(tokens, syntax);
    }
    boolean renames = !syntax.renamed().isEmpty();
    boolean isLocked = !task.scope().locks().isEmpty();
    if (nodes.size() < 2 || renames || isLocked) {
      return plan(task, source, syntax);
    }
    ShardedTable table = place instanceof TablePlace.Sharded sharded ? sharded.table() : null;
    var review = new PartsReview(task, tokens, mention.name(), nodes, table, syntax.creates());
    return new ReviewedPlan(plan(task, source, syntax), review);
  }

  /** CREATE TABLE … LIKE takes the keys of the other table. */
  private static void refuseKeysOfModel(
      PlanTask task, SqlTokens tokens, DdlSyntax syntax, ShardedTable table) {
    if (!task.database().keyPolicy().refuses() || !TableLikeness.isIn(tokens, syntax)) {
      return;
    }
    TableMention other = syntax.others().getFirst();
    TablePlace place = new TableDirectory(task).find(other.qualifier(), other.name());
    DataNode model = place.nodes(task).getFirst();
    task.definitions()
        .of(model)
        .ifPresent(
            definition -> {
              var keys = ShardKeys.of(table, definition);
              definition.keys().forEach(key -> DefinitionGuard.refuse(table, keys, key));
            });
  }

  /** Of a table that is in several places; empty for all others. */
  static List<DataNode> nodes(PlanTask task, TablePlace place) {
    boolean isInSeveral =
        place instanceof TablePlace.Sharded || place instanceof TablePlace.Broadcast;
    return isInSeveral ? place.nodes(task) : List.of();
  }

  private StatementPlan plan(PlanTask task, SourceText source, DdlSyntax syntax) {
    if (!syntax.renamed().isEmpty()) {
      return new AlteredName(task, source, syntax).plan();
    }
    CreateQuery query = CreateQuery.of(source.tokens(), syntax);
    if (query != null) {
      TableMention table = syntax.tables().getFirst();
      TablePlace place = new TableDirectory(task).find(table.qualifier(), table.name());
      var made = new CreateSelect(task, source, syntax, query);
      if (!made.isOfOnePlace(place)) {
        return made.plan(place, statements);
      }
    }
    var targets = new ArrayList<AimedText>();
    var counted = new ArrayList<Integer>();
    if (syntax.list()) {
      AtomicDrop.check(task, source.tokens(), syntax);
      List<TableMention> unknown = unknown(task, source, syntax);
      boolean isMixed = unknown.size() < syntax.tables().size();
      if (isMixed) {
        // in the order of the text
        unknown = List.of();
      }
      var together = new HashSet<TableMention>(unknown);
      for (TableMention table : syntax.tables()) {
        if (!together.contains(table)) {
          counted.add(targets.size());
          targets.addAll(oneOfList(task, source, syntax, table));
        }
      }
      if (!unknown.isEmpty()) {
        counted.add(targets.size());
        targets.add(together(task, source, syntax, unknown));
      }
    } else {
      counted.add(0);
      targets.addAll(single(task, source, syntax));
    }
    NameMapping names = names(task, syntax);
    boolean isDropped = syntax.list() && syntax.tables().size() > 1 && tellsTogether(task);
    boolean ofNodes = !syntax.list() && !names.tables().isEmpty();
    return new TemplatePlan(
        task.scan().kind(),
        names,
        targets,
        counted,
        false,
        ofNodes ? PlanNode.Verb.DEFINE : isDropped ? PlanNode.Verb.DROP : PlanNode.Verb.UPDATE,
        null);
  }

  /** Whether servers tell all tables that a DROP does not find in one note. */
  private static boolean tellsTogether(PlanTask task) {
    return task.catalog().isMariaDb(new TableDirectory(task).defaultEndpoint());
  }

  /** Errors and warnings speak of the tables that the client knows. */
  private static NameMapping names(PlanTask task, DdlSyntax syntax) {
    var directory = new TableDirectory(task);
    var names = new HashMap<String, String>();
    for (TableMention mention : syntax.tables()) {
      if (directory.find(mention.qualifier(), mention.name())
          instanceof TablePlace.Sharded sharded) {
        sharded.table().nodes().forEach(node -> names.put(node.table(), sharded.table().name()));
      }
    }
    return new NameMapping(task.database().name(), names);
  }

  /** Several tables that are not there, of which IF EXISTS gives one note. */
  private static List<TableMention> unknown(PlanTask task, SourceText source, DdlSyntax syntax) {
    var directory = new TableDirectory(task);
    List<TableMention> unknown =
        syntax.tables().stream()
            .filter(
                table ->
                    directory.find(table.qualifier(), table.name()) instanceof TablePlace.Absent)
            .toList();
    return syntax.isConditional(source.tokens()) && unknown.size() > 1 ? unknown : List.of();
  }

  /** DROP TABLE a, b as one statement. */
  private static AimedText together(
      PlanTask task, SourceText source, DdlSyntax syntax, List<TableMention> tables) {
    return TableRewriting.ofList(source, syntax.tables(), tables.size())
        .aimedAt(
            new TableDirectory(task).defaultEndpoint(),
            tables.stream().map(TableMention::name).toList());
  }

  /** DROP TABLE a, b becomes one statement for each table and node. */
  private static List<AimedText> oneOfList(
      PlanTask task, SourceText source, DdlSyntax syntax, TableMention table) {
    TablePlace place = new TableDirectory(task).find(table.qualifier(), table.name());
    return place.aim(task, TableRewriting.ofList(source, syntax.tables(), 1));
  }

  private static List<AimedText> single(PlanTask task, SourceText source, DdlSyntax syntax) {
    var directory = new TableDirectory(task);
    TableMention mention = syntax.tables().getFirst();
    TablePlace place = directory.find(mention.qualifier(), mention.name());
    new JoinedTables(task, source.tokens(), syntax).check(place);
    var mentions = new ArrayList<TableMention>(syntax.tables());
    mentions.addAll(syntax.others());
    mentions.addAll(syntax.joined());
    var rewriting = new TableRewriting(source, task.database().name(), mentions);
    if (TableLikeness.isIn(source.tokens(), syntax)) {
      TableMention other = syntax.others().getFirst();
      return new TableLikeness(task).aim(rewriting.template(), place, other);
    }
    if (nodes(task, place).size() > 1) {
      refuseSequences(source.tokens());
    }
    if (!(place instanceof TablePlace.Sharded sharded)) {
      requireTogether(directory, syntax.others(), place);
      if (place instanceof TablePlace.Broadcast && task.scan().kind() == StatementKind.ALTER) {
        new CopyChecks(task).refuseNewDefaults(source.tokens());
      }
      return plain(task, rewriting, place, mentions);
    }
    refuseForSharded(source.tokens(), sharded.table());
    var constraints =
        new ConstraintNames(task, source.tokens(), sharded.table())
            .replace(rewriting, mentions.size());
    SqlTemplate template = rewriting.template();
    var targets = new ArrayList<AimedText>();
    for (int node = 0; node < sharded.table().nodes().size(); node++) {
      DataNode own = sharded.table().nodes().get(node);
      var names = new ArrayList<String>(List.of(own.table()));
      for (TableMention other : syntax.others()) {
        names.add(directory.partner(other, sharded.table(), node));
      }
      constraints.forEach(constraint -> names.add(constraint.on(own)));
      targets.add(template.aimedAt(own.dataSource(), names));
    }
    new ForeignKeys(source.tokens(), directory, sharded.table()).check(syntax.others());
    return targets;
  }

  /** A sequence is in one data source: the other nodes of the table would not find it. */
  private static void refuseSequences(SqlTokens tokens) {
    if (SessionWords.useSequences(tokens)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a sequence in the definition of a table that is on several nodes",
          "draw the value where the rows are inserted: VALUES (NEXTVAL(…), …)");
    }
  }

  private static List<AimedText> plain(
      PlanTask task, TableRewriting rewriting, TablePlace place, List<TableMention> mentions) {
    SqlTemplate template = rewriting.template();
    List<String> names = mentions.stream().map(TableMention::name).toList();
    List<DataNode> nodes = place instanceof TablePlace.Sharded ? List.of() : place.nodes(task);
    return nodes.stream().map(node -> template.aimedAt(node.dataSource(), names)).toList();
  }

  /** Tables that a single or broadcast table refers to must be where it is. */
  private static void requireTogether(
      TableDirectory directory, List<TableMention> others, TablePlace place) {
    for (TableMention other : others) {
      TablePlace where = directory.find(other.qualifier(), other.name());
      boolean together =
          where instanceof TablePlace.Broadcast
              || (!(where instanceof TablePlace.Sharded)
                  && (where instanceof TablePlace.Absent
                      || (place instanceof TablePlace.Single one
                          && where.equals(new TablePlace.Single(one.endpoint(), other.name())))
                      || (place instanceof TablePlace.Absent one
                          && where.equals(new TablePlace.Single(one.endpoint(), other.name())))));
      if (!together) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "a reference to table '" + other.name() + "', which lives elsewhere",
            "leave the reference out");
      }
    }
  }

  private static void refuseForSharded(SqlTokens tokens, ShardedTable table) {
    int found =
        tokens
            .all()
            .find(i -> tokens.isWord(i, "SELECT") || (i < 4 && tokens.isWord(i, "TEMPORARY")));
    if (found >= 0) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          tokens.word(found) + " in DDL for the sharded table '" + table.name() + "'",
          "create the table first, then insert rows");
    }
  }

  /** Views and triggers beside their tables, functions everywhere; all else has one place. */
  private static StatementPlan otherObject(PlanTask task, SourceText source) {
    int trigger = TriggerSyntax.trigger(source.tokens());
    if (trigger > 0) {
      return new TriggerPlanner(task, source).plan(trigger);
    }
    int routine = RoutinePlanner.routine(source.tokens());
    if (routine > 0) {
      return new RoutinePlanner(task, source).plan(routine);
    }
    int view = ViewPlanner.view(source.tokens());
    if (view > 0) {
      return new ViewPlanner().plan(task, source, view);
    }
    return new DefaultEndpointPlanner().plan(task, source);
  }
}
