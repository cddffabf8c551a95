package io.anabranch.rules.planner.maintenance;

import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.planner.view.ViewPlanner;
import io.anabranch.rules.resolve.TablePlacer;
import io.anabranch.rules.syntax.DdlSyntax;
import io.anabranch.rules.syntax.InsertSyntax;
import io.anabranch.rules.syntax.LoadSyntax;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.syntax.TriggerSyntax;
import io.anabranch.rules.task.PlanTask;

/**
 * What a session that has locked tables must not do with others. A data source in which none of
 * them lies has no locks, and would not refuse it, so it is refused before it is planned. Tables of
 * queries, UPDATE and DELETE are looked up, and refused, by {@link TablePlacer}.
 */
public final class LockChecks {

  private final PlanTask task;
  private final SourceText source;
  private final SqlTokens tokens;

  private LockChecks(PlanTask task) {
    this.task = task;
    this.source = task.source();
    this.tokens = source.tokens();
  }

  /**
   * @throws io.anabranch.rules.error.RefusedException with the error of a server
   */
  public static void check(PlanTask task) {
    if (!task.scope().locks().isEmpty()) {
      new LockChecks(task).check();
    }
  }

  private void check() {
    switch (task.scan().kind()) {
      case INSERT, REPLACE -> use(InsertSyntax.read(source).table());
      case LOAD_DATA -> use(LoadSyntax.read(source).table());
      case CREATE, ALTER, DROP, TRUNCATE, RENAME -> definition();
      case SHOW -> shown();
      case HANDLER -> throw ErrorCatalogue.TABLES_ARE_LOCKED.refuse();
      default -> {}
    }
  }

  private void definition() {
    if (task.scan().kind() == StatementKind.RENAME && isMariaDb()) {
      throw ErrorCatalogue.TABLES_ARE_LOCKED.refuse();
    }
    if (ViewPlanner.view(tokens) > 0) {
      throw ErrorCatalogue.TABLES_ARE_LOCKED.refuse();
    }
    int trigger = TriggerSyntax.trigger(tokens);
    if (trigger > 0) {
      if (tokens.isWord(0, "CREATE")) {
        use(TriggerSyntax.read(source, trigger).table());
      }
      return;
    }
    if (!tokens.isWord(1, "TEMPORARY") && !tokens.isWord(3, "TEMPORARY")) {
      DdlSyntax syntax = DdlSyntax.read(source);
      boolean renames = task.scan().kind() == StatementKind.RENAME;
      LockedTables locks = task.scope().locks();
      for (int i = 0; i < syntax.tables().size(); i++) {
        TableMention table = syntax.tables().get(i);
        use(table, locks);
        locks = renames ? locks.renamed(table.name(), syntax.renamed().get(i).name()) : locks;
      }
    }
  }

  /**
   * MariaDB renames nothing while tables are locked; MySQL does, where they are locked to write.
   */
  private boolean isMariaDb() {
    return task.catalog().isMariaDb(task.database().endpoints().getFirst());
  }

  private void shown() {
    if (tokens.isWord(1, "CREATE") && tokens.isWord(2, "TABLE") && tokens.isName(3)) {
      use(TableMention.at(source, 3));
    }
  }

  private void use(TableMention table) {
    use(table, task.scope().locks());
  }

  private void use(TableMention table, LockedTables locks) {
    boolean temporary =
        table.qualifier() == null && task.scope().temporaries().find(table.name()) != null;
    String database = table.qualifier() == null ? task.database().name() : table.qualifier();
    if (!temporary && !locks.admit(database, table.name(), table.name())) {
      throw ErrorCatalogue.TABLE_NOT_LOCKED.refuse(table.name());
    }
  }
}
