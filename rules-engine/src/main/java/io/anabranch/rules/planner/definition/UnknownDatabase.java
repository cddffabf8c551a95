package io.anabranch.rules.planner.definition;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.table.TableDirectory;
import io.anabranch.rules.task.PlanTask;

/**
 * Definitions of tables in databases that the proxy has not: which error servers give depends on
 * what is done. All others get that of {@link TableDirectory#find}.
 */
final class UnknownDatabase {

  private UnknownDatabase() {}

  /**
   * @throws io.anabranch.rules.error.RefusedException 1049, 1051, 1146
   */
  static void check(PlanTask task, SqlTokens tokens, DdlSyntax syntax) {
    var directory = new TableDirectory(task);
    TableMention first = syntax.tables().getFirst();
    boolean isMariaDb = task.catalog().isMariaDb(directory.defaultEndpoint());
    if (tokens.isWord(1, "TEMPORARY") && isMariaDb) {
      return;
    }
    if (syntax.creates()) {
      directory.requireDatabase(first.qualifier());
    } else if (tokens.isWord(0, "DROP") && syntax.list()) {
      directory.requireDatabases(
          syntax.tables(), syntax.isConditional(tokens), ErrorCatalogue.UNKNOWN_TABLE);
    } else if (task.scan().kind() == StatementKind.TRUNCATE) {
      String qualifier = first.qualifier();
      if (qualifier != null && directory.isNoDatabase(qualifier)) {
        throw ErrorCatalogue.NO_SUCH_TABLE.refuse(qualifier, first.name());
      }
    }
  }
}
