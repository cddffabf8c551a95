package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.table.TablePlace;
import io.anabranch.rules.task.PlanTask;
import java.util.ArrayList;

/**
 * DROP TABLE of several tables on MySQL, where one that is not there lets all of them stay (<a
 * href="https://dev.mysql.com/doc/refman/9.7/en/atomic-ddl.html">atomic DDL</a>): it is looked for
 * before the first one is dropped. MariaDB drops those that are there.
 */
final class AtomicDrop {

  private AtomicDrop() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException 1051 with all tables that are not there
   */
  static void check(PlanTask task, SqlTokens tokens, DdlSyntax syntax) {
    boolean drops = tokens.isWord(0, "DROP") && syntax.tables().size() > 1;
    if (!drops
        || syntax.isConditional(tokens)
        || task.catalog().isMariaDb(task.database().endpoints().getFirst())) {
      return;
    }
    var directory = new TableDirectory(task);
    var absent = new ArrayList<String>();
    for (TableMention table : syntax.tables()) {
      if (!isThere(task, directory.find(table.qualifier(), table.name()))) {
        absent.add(task.database().name() + "." + table.name());
      }
    }
    if (!absent.isEmpty()) {
      throw ErrorCatalogue.UNKNOWN_TABLE.refuse(String.join(",", absent));
    }
  }

  private static boolean isThere(PlanTask task, TablePlace place) {
    return !(place instanceof TablePlace.Absent)
        && DdlPlanner.nodes(task, place).stream()
            .allMatch(node -> task.catalog().table(node.dataSource(), node.table()).isPresent());
  }
}
