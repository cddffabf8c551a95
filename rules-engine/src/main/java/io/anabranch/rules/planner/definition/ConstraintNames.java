package io.anabranch.rules.planner.definition;

import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.model.DataNode;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.NodeConstraints;
import io.anabranch.rules.rewrite.Piece;
import io.anabranch.rules.rewrite.TableRewriting;
import io.anabranch.rules.sql.TableNames;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of constraints that are unique in a schema, as {@link NodeConstraints} has them on a node.
 * Those are foreign keys, and CHECK in MySQL; MariaDB has those for each table, as all have UNIQUE.
 */
final class ConstraintNames {

  private final PlanTask task;
  private final SqlTokens tokens;
  private final ShardedTable table;
  private final DataNode first;

  /**
   * A constraint that a statement names.
   *
   * @param isMade whether it is called as servers call those without a name
   */
  record Named(String name, boolean isMade, ShardedTable table) {

    /** What it is called on a node of its table. */
    String on(DataNode node) {
      if (isMade) {
        return NodeConstraints.made(name, table.name(), node.table());
      }
      return table.nodes().size() == 1
          ? name
          : NodeConstraints.given(name, node.table(), table.name());
    }
  }

  ConstraintNames(PlanTask task, SqlTokens tokens, ShardedTable table) {
    this.task = task;
    this.tokens = tokens;
    this.table = table;
    this.first = task.nearestNode(table.nodes());
  }

  /**
   * Makes table references of the names.
   *
   * @param references number of the first
   * @return the names that are others on the nodes
   */
  List<Named> replace(TableRewriting rewriting, int references) {
    var names = new ArrayList<Named>();
    for (int i : tokens.all().where(each -> name(each) >= 0)) {
      int name = name(i);
      boolean isMade = isMade(tokens.name(name));
      if (isMade || isOfSchema(i, name)) {
        int reference = references + names.size();
        names.add(new Named(tokens.name(name), isMade, table));
        rewriting.replace(name, name + 1, new Piece.Table(reference));
      }
    }
    return names;
  }

  /** Token of the constraint's name behind the words at {@code at}; -1 if there is none. */
  private int name(int at) {
    boolean drops = tokens.isWord(at - 1, "DROP") || tokens.isWord(at - 1, "ALTER");
    int name = -1;
    if (tokens.isWord(at, "CONSTRAINT") && !tokens.isPunctuation(at - 1, '.')) {
      name = at + 1;
    } else if (drops && tokens.isWord(at, "FOREIGN") && tokens.isWord(at + 1, "KEY")) {
      name = at + 2;
    } else if (drops && tokens.isWord(at, "CHECK")) {
      name = at + 1;
    }
    if (name > 0 && tokens.isWord(name, "IF")) {
      name += 2;
    }
    return name > 0 && tokens.isName(name) && !startsConstraint(name) ? name : -1;
  }

  private boolean isOfSchema(int word, int name) {
    if (tokens.isWord(word, "FOREIGN") || tokens.isWord(name + 1, "FOREIGN")) {
      return true;
    }
    if (tokens.isWord(name + 1, "CHECK")) {
      return !isMariaDb();
    }
    boolean isKey = tokens.isWord(name + 1, "UNIQUE") || tokens.isWord(name + 1, "PRIMARY");
    return !isKey && isThere(NodeConstraints.given(tokens.name(name), first.table(), table.name()));
  }

  private boolean isMariaDb() {
    return task.catalog().isMariaDb(first.dataSource());
  }

  /** Whether the first node has it by the name that its server made. */
  private boolean isMade(String constraint) {
    return NodeConstraints.isMade(constraint, table.name())
        && isThere(NodeConstraints.made(constraint, table.name(), first.table()));
  }

  /** Whether the first node has a constraint of that name. */
  private boolean isThere(String constraint) {
    String count =
        cell(
            "SELECT COUNT(*) FROM information_schema.TABLE_CONSTRAINTS"
                + " WHERE CONSTRAINT_SCHEMA = DATABASE() AND TABLE_NAME = "
                + TableNames.literal(first.table())
                + " AND CONSTRAINT_NAME = "
                + TableNames.literal(constraint));
    return !"0".equals(count);
  }

  private String cell(String sql) {
    var rows = task.catalog().rows(first.dataSource(), sql);
    return rows.isEmpty() ? "0" : String.valueOf(rows.getFirst().getFirst());
  }

  private boolean startsConstraint(int token) {
    return tokens.isWord(token, "FOREIGN")
        || tokens.isWord(token, "CHECK")
        || tokens.isWord(token, "PRIMARY")
        || tokens.isWord(token, "UNIQUE");
  }
}
