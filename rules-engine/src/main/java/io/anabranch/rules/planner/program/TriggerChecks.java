package io.anabranch.rules.planner.program;

import io.anabranch.rules.catalog.SchemaCatalog.Column;
import io.anabranch.rules.catalog.SchemaCatalog.TableSchema;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.placement.CopyChecks;
import io.anabranch.rules.placement.RowPlacement;
import io.anabranch.rules.routing.key.KeyType;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.TriggerSyntax;
import io.anabranch.rules.syntax.query.TriggerBody;
import io.anabranch.rules.table.LogicalViews;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether what a trigger does is the same beside each node's rows as on one server. */
final class TriggerChecks {

  private static final String MOVE = "do it in the application, or in a statement of its own";

  private final PlanTask task;
  private final SqlTokens tokens;
  private final TriggerSyntax syntax;
  private final TriggerBody body;
  private final TableDirectory directory;
  private final LogicalViews views;
  private final CopyChecks copies;

  TriggerChecks(PlanTask task, SourceText source, TriggerSyntax syntax) {
    this.task = task;
    this.tokens = source.tokens();
    this.syntax = syntax;
    this.body = new TriggerBody(source, syntax.body());
    this.directory = new TableDirectory(task);
    this.views = new LogicalViews(task);
    this.copies = new CopyChecks(task);
  }

  /** The bound tables that it writes to: a node's trigger writes to the part beside it. */
  List<TableMention> ofSharded(ShardedTable table) {
    refuseCalls();
    refuseVariables(table);
    refuseNewKeys(table);
    var partners = new ArrayList<TableMention>();
    body.visit(
        new TriggerBody.Uses() {
          @Override
          public void reads(TableMention read) {
            if (!(place(read) instanceof TablePlace.Broadcast)) {
              throw refusal("reads '" + read.name() + "'", "read broadcast tables only; " + MOVE);
            }
          }

          @Override
          public void writes(TableMention written, String verb, int behind) {
            requireBeside(table, written, verb, behind);
            partners.add(written);
          }
        });
    return partners;
  }

  private void requireBeside(ShardedTable own, TableMention written, String verb, int behind) {
    boolean isBound =
        place(written) instanceof TablePlace.Sharded other && own.isBoundTo(other.table());
    if (!isBound) {
      throw refusal(
          "writes to '" + written.name() + "'", "write to binding tables of it only; " + MOVE);
    }
    ShardedTable other = ((TablePlace.Sharded) place(written)).table();
    TriggerKeys keys = TriggerKeys.of(tokens, syntax.row(), own, other);
    boolean inserts = verb.equals("INSERT") || verb.equals("REPLACE");
    boolean ties = inserts ? keys.insertTies(written, behind) : keys.conditionTies(written, behind);
    if (ties && !alike(keys, own, other, inserts)) {
      throw refusal(
          "does " + verb + " to rows of '" + written.name() + "' that may lie elsewhere",
          "give the sharding columns of both tables the same type, and texts a binary collation");
    }
    if (!ties) {
      throw refusal(
          "does " + verb + " to rows of '" + written.name() + "' that may lie elsewhere",
          "give its sharding columns as "
              + syntax.row()
              + "."
              + String.join(", " + syntax.row() + ".", keys.columns().values()));
    }
  }

  /**
   * Whether equal values of both tables' sharding columns place rows alike; a new row has the value
   * itself, whatever else is equal to it.
   */
  private boolean alike(TriggerKeys keys, ShardedTable own, ShardedTable other, boolean inserts) {
    List<Column> ours = columns(own);
    List<Column> theirs = columns(other);
    for (Map.Entry<String, String> pair : keys.columns().entrySet()) {
      Column left = find(ours, pair.getValue());
      Column right = find(theirs, pair.getKey());
      boolean same =
          left != null
              && right != null
              && (KeyType.joinable(type(left), type(right))
                  || (inserts
                      && left.type().equals(right.type())
                      && Objects.equals(left.collation(), right.collation())));
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private static KeyType type(Column column) {
    return KeyType.of(column.type(), column.collation());
  }

  private List<Column> columns(ShardedTable table) {
    return task.catalog().table(table.nodes()).map(TableSchema::columns).orElse(List.of());
  }

  private static @Nullable Column find(List<Column> columns, String name) {
    for (Column column : columns) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  /** Each data source does the same to its own copy. */
  void ofBroadcast() {
    refuseCalls();
    String found = copies.differenceOfProgram(tokens, syntax.body());
    if (found != null) {
      throw differing(found);
    }
    body.visit(
        new TriggerBody.Uses() {
          @Override
          public void reads(TableMention read) {
            require(read, "reads");
          }

          @Override
          public void writes(TableMention written, String verb, int behind) {
            require(written, "writes to");
            String keys = copies.keysMade(written.name(), verb);
            if (keys != null) {
              throw differing(keys);
            }
          }

          private void require(TableMention used, String does) {
            if (!(place(used) instanceof TablePlace.Broadcast)) {
              throw refusal(does + " '" + used.name() + "'", "use broadcast tables only; " + MOVE);
            }
          }
        });
  }

  private RuntimeException differing(String what) {
    return refusal(
        "uses " + what + ", which differs between the data sources of a broadcast table,",
        "give the value in statements");
  }

  void ofSingle(String endpoint) {
    if (!endpoint.equals(directory.defaultEndpoint())) {
      refuseCalls();
    }
    body.visit(
        new TriggerBody.Uses() {
          @Override
          public void reads(TableMention read) {
            if (!(place(read) instanceof TablePlace.Broadcast)) {
              require(read, "reads");
            }
          }

          @Override
          public void writes(TableMention written, String verb, int behind) {
            views.refuseWrite(place(written));
            require(written, "writes to");
          }

          private void require(TableMention used, String does) {
            boolean isThere =
                place(used) instanceof TablePlace.Single single
                    && single.endpoint().equals(endpoint)
                    && !single.isShardedView();
            if (!isThere) {
              throw refusal(
                  does + " '" + used.name() + "'", "use tables of its data source; " + MOVE);
            }
          }
        });
  }

  private TablePlace place(TableMention used) {
    return directory.require(used.qualifier(), used.name());
  }

  private void refuseCalls() {
    for (String call : body.calls()) {
      throw refusal("calls " + call, "write its statements out; " + MOVE);
    }
  }

  /** Each node's connection has its own, which knows of the rows there alone. */
  private void refuseVariables(ShardedTable table) {
    String variable = body.setVariable();
    if (!variable.isEmpty() && table.nodes().size() > 1) {
      throw refusal(
          "sets the user variable " + variable + ", which each shard would do for itself,",
          "compute it by a query: SELECT SUM(…)");
    }
  }

  /** The row has been placed by the values of the statement, and clients are told its key. */
  private void refuseNewKeys(ShardedTable table) {
    refuseNew("sharding column", RowPlacement.columns(table));
    ShardedTable.KeyGeneration generated = table.keyGeneration();
    if (generated != null) {
      refuseNew("generated key", Set.of(generated.column().toLowerCase(Locale.ROOT)));
    }
  }

  private void refuseNew(String what, Set<String> keys) {
    int assigned = body.assigned(keys);
    if (assigned >= 0) {
      throw refusal(
          "changes the " + what + " '" + tokens.name(assigned) + "'",
          "give its value in the statement");
    }
  }

  private RuntimeException refusal(String what, String hint) {
    return ErrorCatalogue.NOT_SUPPORTED.refuse(
        "a trigger of '" + syntax.table().name() + "' that " + what, hint);
  }
}
