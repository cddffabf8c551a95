package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.rewrite.SqlTemplate;
import io.anabranch.rules.sql.AimedText;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CREATE TABLE … LIKE: every node is made like a part of the other table beside it. */
final class TableLikeness {

  private final PlanTask task;
  private final TableDirectory directory;

  TableLikeness(PlanTask task) {
    this.task = task;
    this.directory = new TableDirectory(task);
  }

  static boolean isIn(SqlTokens tokens, DdlSyntax syntax) {
    return syntax.creates()
        && syntax.others().size() == 1
        && tokens.isWord(syntax.others().getFirst().first() - 1, "LIKE");
  }

  /** The statement for each node of the new table. */
  List<AimedText> aim(SqlTemplate template, TablePlace created, TableMention other) {
    TablePlace model = directory.require(other.qualifier(), other.name());
    var targets = new ArrayList<AimedText>();
    for (DataNode node : nodes(created, model)) {
      String part = beside(node, model);
      if (part == null) {
        throw ErrorCatalogue.NOT_SUPPORTED.refuse(
            "CREATE TABLE LIKE '"
                + other.name()
                + "', which has no part in data source '"
                + node.dataSource()
                + "',",
            "write the columns out, as SHOW CREATE TABLE shows them");
      }
      targets.add(template.aimedAt(node.dataSource(), List.of(node.table(), part)));
    }
    return targets;
  }

  private List<DataNode> nodes(TablePlace created, TablePlace model) {
    return created instanceof TablePlace.Absent absent
        ? List.of(new DataNode(home(absent.endpoint(), model), absent.name()))
        : created.nodes(task);
  }

  /** Where a new single table goes: to its model, if that is in one place only. */
  private static String home(String usual, TablePlace model) {
    return switch (model) {
      case TablePlace.Single single -> single.endpoint();
      case TablePlace.Sharded sharded
          when sharded.table().nodes().stream()
              .noneMatch(node -> node.dataSource().equals(usual)) ->
          sharded.table().nodes().getFirst().dataSource();
      case TablePlace.Sharded ignored -> usual;
      case TablePlace.Broadcast ignored -> usual;
      case TablePlace.Absent ignored -> usual;
    };
  }

  private static @Nullable String beside(DataNode node, TablePlace model) {
    return switch (model) {
      case TablePlace.Sharded sharded -> {
        for (DataNode part : sharded.table().nodes()) {
          if (part.dataSource().equals(node.dataSource())) {
            yield part.table();
          }
        }
        yield null;
      }
      case TablePlace.Broadcast broadcast -> broadcast.name();
      case TablePlace.Single single ->
          single.endpoint().equals(node.dataSource()) ? single.name() : null;
      case TablePlace.Absent ignored -> null;
    };
  }
}
