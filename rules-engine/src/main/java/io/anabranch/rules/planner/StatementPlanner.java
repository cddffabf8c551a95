package io.anabranch.rules.planner;

import io.anabranch.rules.algorithm.KeyWaits;
import io.anabranch.rules.catalog.CountedCatalog;
import io.anabranch.rules.catalog.CountingCatalog;
import io.anabranch.rules.catalog.DefinitionChanges;
import io.anabranch.rules.catalog.SchemaCatalog;
import io.anabranch.rules.catalog.TemporaryCatalog;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.guard.GuardedPlan;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.lexer.TextShapes;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.RuleSet;
import io.anabranch.rules.model.ShardedTable;
import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.slot.SlotValues;
import io.anabranch.rules.planner.change.WritePlanner;
import io.anabranch.rules.planner.definition.DdlPlanner;
import io.anabranch.rules.planner.encrypt.EncryptPlanner;
import io.anabranch.rules.planner.endpoint.DefaultEndpointPlanner;
import io.anabranch.rules.planner.insert.InsertPlanner;
import io.anabranch.rules.planner.insert.LoadPlanner;
import io.anabranch.rules.planner.maintenance.LockChecks;
import io.anabranch.rules.planner.maintenance.LockPlanner;
import io.anabranch.rules.planner.maintenance.MaintenancePlanner;
import io.anabranch.rules.planner.mask.MaskGuard;
import io.anabranch.rules.planner.query.DoPlanner;
import io.anabranch.rules.planner.query.QueryPlanner;
import io.anabranch.rules.planner.query.SetPlanner;
import io.anabranch.rules.planner.shadow.ShadowDatabases;
import io.anabranch.rules.planner.shadow.ShadowPlanner;
import io.anabranch.rules.planner.show.SessionNumbers;
import io.anabranch.rules.planner.show.ShowPlanner;
import io.anabranch.rules.resolve.StatementReader;
import io.anabranch.rules.syntax.TableMention;
import io.anabranch.rules.task.KindPlanner;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.PlanTask;
import io.anabranch.rules.task.StatementHints;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hands each statement to the planner of its kind and keeps the plans. Thread-safe. */
public final class StatementPlanner implements Planner {

  private static final int MOST_PLANS = 8192;

  /** Values of sql_mode are the clients': there may be any number of scopes. */
  private static final int MOST_SCOPES = 1024;

  private static final int SYNTAX_ERROR = 1064;

  private final Function<LogicalDatabase, SchemaCatalog> catalogs;
  private final RuleSet rules;

  /** Whether some database has encrypted columns. */
  private final boolean encrypts;

  /** Views of the databases whose tables have shadows. */
  private final Map<LogicalDatabase, ShadowDatabases> shadows = new HashMap<>();

  private final TextShapes shapes = new TextShapes();
  private final PlanningRoom room = PlanningRoom.ofHalf();
  private final PlanCache cache = new PlanCache(MOST_PLANS);
  private final Map<PlanScope, PlanScope> scopes = new ConcurrentHashMap<>();

  /** Plans that were made while DDL ran may be stale: they are kept under its number before. */
  private final DefinitionChanges changes;

  private final KindPlanner passThrough = new PassThroughPlanner();
  private final Map<StatementKind, KindPlanner> byKind = new EnumMap<>(StatementKind.class);

  /**
   * @param catalogs the catalog of each logical database; called on virtual threads, once per plan
   */
  public StatementPlanner(RuleSet rules, Function<LogicalDatabase, SchemaCatalog> catalogs) {
    this(rules, catalogs, new DefinitionChanges());
  }

  /**
   * @param catalogs the catalog of each logical database; called on virtual threads, once per plan
   * @param changes of the definitions, whatever the rules by which they are seen to change
   */
  public StatementPlanner(
      RuleSet rules, Function<LogicalDatabase, SchemaCatalog> catalogs, DefinitionChanges changes) {
    this.changes = changes;
    this.rules = rules;
    this.catalogs = catalogs;
    this.encrypts = rules.encrypts();
    for (LogicalDatabase database : rules.databases().values()) {
      if (database.shadow().isPresent()) {
        shadows.put(database, ShadowDatabases.of(database));
      }
    }
    KindPlanner queries = new QueryPlanner();
    KindPlanner writes = new WritePlanner(task -> plannerOf(task).plan(task));
    byKind.put(StatementKind.SELECT, queries);
    byKind.put(StatementKind.QUERY_EXPRESSION, queries);
    KindPlanner inserts = new InsertPlanner(task -> plannerOf(task).plan(task));
    byKind.put(StatementKind.INSERT, inserts);
    byKind.put(StatementKind.REPLACE, inserts);
    KindPlanner definitions = new DdlPlanner(task -> plannerOf(task).plan(task));
    for (var kind :
        List.of(
            StatementKind.CREATE,
            StatementKind.ALTER,
            StatementKind.DROP,
            StatementKind.RENAME,
            StatementKind.TRUNCATE)) {
      byKind.put(kind, definitions);
    }
    KindPlanner shows = new ShowPlanner(task -> plannerOf(task).plan(task));
    byKind.put(StatementKind.SHOW, shows);
    byKind.put(StatementKind.DESCRIBE, shows);
    KindPlanner others = new DefaultEndpointPlanner();
    for (var kind :
        List.of(
            StatementKind.CALL,
            StatementKind.HANDLER,
            StatementKind.UNLOCK_TABLES,
            StatementKind.OTHER)) {
      byKind.put(kind, others);
    }
    byKind.put(StatementKind.DO, new DoPlanner(task -> plannerOf(task).plan(task)));
    byKind.put(StatementKind.SET, new SetPlanner(this::within));
    byKind.put(StatementKind.LOCK_TABLES, new LockPlanner());
    byKind.put(StatementKind.FLUSH, new LockPlanner());
    byKind.put(StatementKind.LOAD_DATA, new LoadPlanner());
    byKind.put(StatementKind.TABLE_MAINTENANCE, new MaintenancePlanner());
    byKind.put(StatementKind.UPDATE, writes);
    byKind.put(StatementKind.DELETE, writes);
  }

  @Override
  public TextShapes shapes() {
    return shapes;
  }

  @Override
  public List<CachedPlan> plans() {
    return cache.all(changes.ofPlans());
  }

  @Override
  public @Nullable StatementPlan cached(Scan scan, PlanScope scope) {
    return cache.find(scan, scope, changes.ofPlans());
  }

  /** Sessions with the same settings share a scope, so that comparing it is by identity. */
  @Override
  public PlanScope known(PlanScope scope) {
    PlanScope first = scopes.get(scope);
    if (first == null && scopes.size() < MOST_SCOPES) {
      first = scopes.putIfAbsent(scope, scope);
    }
    return first == null ? scope : first;
  }

  @Override
  public Planned plan(
      Scan scan, @Nullable SourceText read, PlanScope scope, SlotValues values, Wish wish) {
    Supplier<Planned> work =
        () -> {
          StatementPlan plan = planned(scan, read, scope, wish);
          return new Planned(plan, KeyWaits.allowing(() -> plan.bind(values)));
        };
    return planned(scan, scope, wish, work);
  }

  /**
   * Statements that go on as they are need no parser, but where they read the catalogue, or have
   * protected columns.
   */
  private <T> T planned(Scan scan, PlanScope scope, Wish wish, Supplier<T> work) {
    if (scope.database().isEmpty()) {
      throw ErrorCatalogue.NO_STORAGE_UNIT.refuse(scope.database().name());
    }
    boolean isRead =
        !scope.database().encryption().isEmpty() || !scope.permitted().masked().isEmpty();
    if (scope.database().isPassThrough() && !isRead) {
      try {
        return PlanningRoom.here(wish, work);
      } catch (StackOverflowError _) {
        return room.call(scan, wish, work);
      }
    }
    return room.call(scan, wish, work);
  }

  @Override
  public StatementPlan plan(Scan scan, PlanScope scope) {
    var wish = new Wish();
    return planned(scan, scope, wish, () -> planned(scan, null, scope, wish));
  }

  private StatementPlan planned(Scan scan, @Nullable SourceText read, PlanScope given, Wish wish) {
    PlanScope scope = meant(scan, read, given);
    var database = scope.database();
    long definitions = changes.ofPlans();
    SchemaCatalog catalog = catalogs.apply(database).reading(scope.settings(), scope.collation());
    if (!scope.temporaries().isEmpty()) {
      catalog = new TemporaryCatalog(catalog, scope.temporaries());
    }
    var counting = new CountingCatalog(new CountedCatalog(catalog, wish::keep));
    var task =
        PlanTask.of(
            scan,
            read,
            scope,
            counting,
            rules,
            other -> new CountedCatalog(catalogs.apply(other), wish::keep),
            wish::keep);
    requireClosed(task);
    StatementPlan plan = GuardedPlan.of(planned(task), task);
    // what was not told any more is not in it
    Wish.requireWanted();
    if (scan.kind().sharesPlans() && plan.isLasting() && definitions == changes.ofPlans()) {
      cache.put(scan, scope, plan, counting.columns(), definitions);
    }
    return plan;
  }

  /** Parts of a text without an end would take in what is put behind them. */
  private static void requireClosed(PlanTask task) {
    LogicalDatabase database = task.database();
    boolean isSent = database.isPassThrough() && database.encryption().isEmpty();
    if (task.scan().hasOpenQuote() && !isSent) {
      SourceText source = task.source();
      throw TableMention.syntaxError(source, source.tokens().size() - 1);
    }
  }

  private static PlanScope meant(Scan scan, @Nullable SourceText read, PlanScope scope) {
    if (scan.kind() != StatementKind.CREATE || scope.temporaries().isEmpty()) {
      return scope;
    }
    SourceText source =
        read == null ? SourceText.of(scan, scope.charset(), scope.lexerMode()) : read;
    return scope.having(scope.temporaries().meantBy(source));
  }

  /** A database's errors speak of the tables that the client knows. */
  private StatementPlan planned(PlanTask task) {
    return TablesByCase.plan(task, this::plannedAsTold);
  }

  private StatementPlan plannedAsTold(PlanTask task) {
    StatementHints hints = StatementHints.of(task.scan(), task.scope().charset());
    hints.check(task.scope().permitted().hints());
    ShadowPlanner.refuseHint(task.database(), hints);
    try {
      return task.database().shadow().isPresent()
          ? new ShadowPlanner(views(task.database()), this::viewed).plan(task)
          : viewed(task);
    } catch (RefusedException refused) {
      // servers read the whole text before they look for tables
      if (refused.is(ErrorCatalogue.NO_SUCH_TABLE)) {
        StatementReader.tellSyntax(task);
      }
      throw refused;
    } catch (SchemaCatalog.DescribeException refused) {
      if (refused.errno() == SYNTAX_ERROR) {
        // it quotes the text that the database was given
        StatementReader.tellSyntax(task);
      }
      var logical = new HashMap<String, String>();
      for (ShardedTable table : task.database().shardedTables().values()) {
        table.nodes().forEach(node -> logical.put(node.table(), table.name()));
      }
      var names = new NameMapping(task.database().name(), logical);
      throw refused.saying(LogicalNames.in(String.valueOf(refused.getMessage()), names));
    }
  }

  /** Those of a database that a statement sees otherwise are made for it alone. */
  private ShadowDatabases views(LogicalDatabase database) {
    ShadowDatabases known = shadows.get(database);
    return known == null ? ShadowDatabases.of(database) : known;
  }

  /** In one view of the database. */
  private StatementPlan viewed(PlanTask task) {
    KindPlanner planner = plannerOf(task);
    LockChecks.check(task);
    if (!planner.equals(passThrough)) {
      HistoryChecks.check(task);
    }
    KindPlanner stored = encrypts ? encrypting(task, planner) : planner;
    KindPlanner refusing =
        of -> {
          SessionNumbers.refuse(of);
          return stored.plan(of);
        };
    return MaskGuard.concerns(task) ? MaskGuard.plan(task, refusing) : refusing.plan(task);
  }

  /** Outermost: what the planners plan for one another is over stored columns. */
  private KindPlanner encrypting(PlanTask task, KindPlanner planner) {
    EncryptPlanner.refuseOthers(task);
    return task.database().encryption().isEmpty()
        ? planner
        : new EncryptPlanner(over -> plannerOf(over).plan(over));
  }

  /** A statement behind SET STATEMENT, whose tables nobody has looked at. */
  private StatementPlan within(PlanTask task) {
    return TablesByCase.plan(task, told -> plannerOf(told).plan(told));
  }

  @Override
  public void invalidate() {
    changes.plansChanged();
    cache.clear();
  }

  private KindPlanner plannerOf(PlanTask task) {
    StatementKind kind = task.scan().kind();
    boolean hinted = StatementHints.of(task.scan(), task.scope().charset()).dataSource() != null;
    if (task.database().isPassThrough() || hinted) {
      return passThrough;
    }
    KindPlanner planner = byKind.get(kind);
    if (planner == null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " in a sharded database",
          "run it on the data source itself");
    }
    return TableQueries.over(kind, planner);
  }
}
