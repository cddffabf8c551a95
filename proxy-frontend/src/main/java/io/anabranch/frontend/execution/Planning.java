package io.anabranch.frontend.execution;

import io.anabranch.backend.memory.MemoryCharge;
import io.anabranch.backend.memory.MemoryKind;
import io.anabranch.backend.transaction.SessionTransaction;
import io.anabranch.frontend.current.CurrentStatement;
import io.anabranch.frontend.current.DatabaseStatement;
import io.anabranch.frontend.current.Interruption;
import io.anabranch.frontend.current.NamedDatabase;
import io.anabranch.frontend.current.StatementCourse;
import io.anabranch.frontend.current.UnscopedStatement;
import io.anabranch.frontend.effect.ImplicitCommit;
import io.anabranch.frontend.privilege.KnownNames;
import io.anabranch.frontend.privilege.Privileges;
import io.anabranch.frontend.rewrite.SessionFunctions;
import io.anabranch.frontend.rewrite.WrittenValues;
import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.rules.effort.PlanningRoom;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.lexer.Scan;
import io.anabranch.rules.lexer.SourceText;
import io.anabranch.rules.lexer.SqlTokens;
import io.anabranch.rules.lexer.StatementKind;
import io.anabranch.rules.plan.BoundPlan;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.planner.Planner;
import io.anabranch.rules.task.PlanScope;
import io.anabranch.rules.task.StatementHints;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans the current statement and binds its values, on the event loop where the plan is known. */
public final class Planning {

  private static final Logger log = LoggerFactory.getLogger(Planning.class);

  /** Those are not counted. */
  private static final long SMALL_TREE = 1L << 20;

  /**
   * What a token becomes while the statement is planned: its tree, what is found in it, templates,
   * their texts. Between 100 and 500 bytes were seen of nearly all kinds of statements, 1,000 of
   * joins of long conditions that a database finishes.
   */
  private static final int TOKEN_WEIGHT = 512;

  /** The rows of an INSERT have no tree. */
  private static final int ROW_TOKEN_WEIGHT = 160;

  private final Session session;
  private final CurrentStatement statement;
  private final Interruption interruption;
  private final StatementCourse course;
  private final StatementRules rules;
  private final StatementRewriting rewriting;
  private final KeptReads kept;
  private final Runnable again;

  /**
   * @param again looks once more who answers the statement: it has another text now
   */
  public Planning(
      Session session,
      CurrentStatement statement,
      Interruption interruption,
      StatementRules rules,
      StatementRewriting rewriting,
      KeptReads kept,
      StatementCourse course,
      Runnable again) {
    this.session = session;
    this.statement = statement;
    this.interruption = interruption;
    this.rules = rules;
    this.rewriting = rewriting;
    this.kept = kept;
    this.again = again;
    this.course = course;
  }

  public void plan() {
    session.database().requirePresent();
    boolean isInSchema =
        session.database().systemSchema() != null
            && UnscopedStatement.isOfItsDatabase(statement.scan().kind());
    PlanScope wanted = isInSchema ? null : session.database().scope();
    Backend on = isInSchema ? null : session.backend();
    PreparedStatement prepared = statement.command().prepared();
    String home = prepared == null ? statement.target().preparedIn() : prepared.database();
    if (home != null && (on == null ? isInSchema : !home.equals(on.database().name()))) {
      // prepared statements stay with the database that was selected when they were prepared
      on = session.database().permitted(home);
      wanted = session.database().scopeOf(on);
    }
    Backend shown = NamedDatabase.of(statement, session);
    if (shown != null && !shown.equals(on)) {
      on = shown;
      wanted = session.database().scopeOf(shown);
    }
    DatabaseStatement definition = databaseStatement();
    statement.target().definition(definition);
    if (definition != null) {
      on = definition.on();
      wanted = session.database().scopeOf(on);
    }
    if (wanted == null || on == null) {
      on = UnscopedStatement.backend(statement.source(), statement.scan().kind(), session);
      wanted = session.database().scopeOf(on);
    }
    statement.target().backend(on);
    if (rewriting.rewrites()) {
      again.run();
      return;
    }
    Backend chosen = on;
    boolean placesVariables =
        statement.scan().hasUserVariable()
            && !on.database().isPassThrough()
            && statement.scan().end() - statement.scan().start() <= PlanningRoom.LARGE;
    if (session.backend() == null || session.database().systemSchema() != null || placesVariables) {
      if (SessionFunctions.mayAsk(statement.source(), chosen)) {
        course.blocking(
            () -> {
              chosen.learnServers();
              return this::plan;
            });
        return;
      }
      // plans know of no current database but their own, and of no values: what DATABASE() says
      // goes into the text, and so do the variables that are not left to the servers
      PlanScope scope = wanted;
      if (WrittenValues.mayBeLong(session)) {
        course.blocking(
            () -> {
              String literal = withFunctions();
              return () -> planAs(literal, scope, chosen);
            });
      } else {
        planAs(withFunctions(), scope, chosen);
      }
      return;
    }
    planAs(null, wanted, on);
  }

  /**
   * @param literal the statement with literals that only the session knows; null: it has none
   */
  private void planAs(@Nullable String literal, PlanScope wanted, Backend on) {
    if (literal != null) {
      statement.replace(literal);
    }
    String under =
        statement.command().wantsCursor() || !on.database().isPassThrough()
            ? statement.text().preparedUnder()
            : null;
    if (under != null) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "executing what was prepared under another "
              + under
              + " "
              + (statement.command().wantsCursor() ? "with a cursor" : "in a sharded database"),
          "prepare it again");
    }
    StatementPlan cached = session.deployment().planner().cached(statement.scan(), wanted);
    if (cached != null) {
      bind(cached);
    } else {
      planMiss(wanted, on);
    }
  }

  /** What the statement does to a database as a whole; null: nothing. */
  private @Nullable DatabaseStatement databaseStatement() {
    StatementKind kind = statement.scan().kind();
    if (kind != StatementKind.CREATE && kind != StatementKind.ALTER && kind != StatementKind.DROP) {
      return null;
    }
    SqlTokens tokens = statement.source().tokens();
    return DatabaseStatement.is(kind, tokens) && DatabaseStatement.isNamed(tokens)
        ? DatabaseStatement.of(kind, tokens, session)
        : null;
  }

  /** A plan is made for an answer of the proxy: ends with the wish for it. */
  public Wish begin() {
    interruption.planning(new Wish(statement.values()::copied), true);
    return interruption.wish();
  }

  private void planMiss(PlanScope wanted, Backend on) {
    boolean isLarge = statement.scan().end() - statement.scan().start() > PlanningRoom.LARGE;
    interruption.planning(
        new Wish(statement.values()::copied), isLarge && !on.database().isPassThrough());
    if (isLarge || SessionFunctions.mayAsk(statement.source(), on)) {
      // what reads all of the text, or waits, would keep the other sessions of the loop waiting
      course.blocking(
          () -> {
            String literal = withFunctions();
            return () -> planWith(literal, wanted);
          });
    } else {
      planWith(withFunctions(), wanted);
    }
  }

  /**
   * @param literal the statement with literals that only the session knows; null: it has none
   */
  private void planWith(@Nullable String literal, PlanScope wanted) {
    if (literal != null) {
      statement.replace(literal);
      StatementPlan cached = session.deployment().planner().cached(statement.scan(), wanted);
      if (cached != null) {
        bind(cached);
        return;
      }
    }
    Backend on = statement.target().chosen();
    SourceText read = statement.source();
    boolean isReadAlike = read.isReadAs(wanted.charset(), wanted.lexerMode());
    long weight = isReadAlike ? treeWeight(on, statement.scan()) : weight(on, statement.scan());
    Wish wish = interruption.wish();
    course.blocking(
        () -> {
          try (MemoryCharge tree = session.memory().charge(MemoryKind.HEAP, "planning")) {
            tree.grow(weight);
            Planner.Planned fresh = fresh(on, read, wanted, wish);
            return () -> run(fresh.plan(), fresh.bound());
          } catch (RefusedException refused) {
            commitAllTheSame(refused);
            throw refused;
          }
        });
  }

  /** Servers commit in front of a statement that then fails, too. Blocks. */
  private void commitAllTheSame(RefusedException refused) {
    if (!refused.isOwn() && commits()) {
      ImplicitCommit.run(statement, session);
    }
  }

  private boolean commits() {
    return statement.command().prepareReply() == null
        && ImplicitCommit.precedes(statement, session);
  }

  /** About what is kept while a statement is read and planned, in bytes. */
  public static long weight(Backend on, Scan scan) {
    return treeWeight(on, scan) + readWeight(scan);
  }

  /** About what the statement's tree takes; literals have one node each, however long they are. */
  private static long treeWeight(Backend on, Scan scan) {
    if (on.database().isPassThrough()) {
      return 0;
    }
    long weight =
        (long) (scan.kind().inserts() ? ROW_TOKEN_WEIGHT : TOKEN_WEIGHT) * scan.mostTokens();
    return weight < SMALL_TREE ? 0 : weight;
  }

  /** About what a large text takes beside itself while its tokens are read. */
  private static long readWeight(Scan scan) {
    if (scan.end() - scan.start() <= PlanningRoom.LARGE) {
      return 0;
    }
    // without its comments it is put together, and read once more
    return SourceText.weight(scan) * (scan.hasComments() ? 3 : 1);
  }

  /** Blocks. */
  private Planner.Planned fresh(Backend on, SourceText read, PlanScope wanted, Wish wish) {
    DatabaseStatement definition = statement.target().definition();
    if (definition == null || !definition.isByRule()) {
      Privileges.check(
          statement.scan().kind(),
          read,
          session,
          new KnownNames(
              on.database().name(),
              name -> isOwn(on, name) || isBeside(on, name),
              name -> isView(on, name)));
    }
    warnOfHints();
    return session
        .deployment()
        .planner()
        .plan(statement.scan(), read, wanted, statement.values().slots(), wish);
  }

  /** Once for each plan. */
  private void warnOfHints() {
    Set<String> unknown = StatementHints.of(statement.scan(), session.charset()).unknown();
    unknown.removeAll(session.deployment().rules().protection().hints());
    if (!unknown.isEmpty()) {
      log.warn(
          "{}: hints without effect: {}; there are {}",
          session,
          String.join(", ", unknown),
          StatementHints.NAMES);
    }
  }

  /** The text with what only the session knows; null: there is none of that in it. */
  private @Nullable String withFunctions() {
    return SessionFunctions.replace(statement.source(), session, statement.target().chosen());
  }

  /** The logical database's name, or what the server calls it. Blocks. */
  public static boolean isOwn(Backend on, String name) {
    return on.database().name().equalsIgnoreCase(name)
        || on.database().endpoints().stream()
            .anyMatch(endpoint -> on.catalog().defaultSchema(endpoint).equalsIgnoreCase(name));
  }

  /** Whether one of its data sources has a view of that name. Blocks. */
  public static boolean isView(Backend on, String name) {
    return on.database().endpoints().stream()
        .flatMap(endpoint -> on.catalog().table(endpoint, name).stream())
        .anyMatch(table -> table.view() != null);
  }

  /** Whether it is another database of the same server, and the user's too. */
  private boolean isBeside(Backend on, String name) {
    Backend other = session.deployment().backend(name);
    return other != null
        && session.database().isPermitted(name)
        && on.database().isBeside(other.database());
  }

  private void bind(StatementPlan found) {
    Binding.bind(found, statement, course, bound -> run(found, bound));
  }

  private void run(StatementPlan found, BoundPlan bound) {
    interruption.planned();
    statement.target().planned(found);
    statement.times().planned(System.nanoTime());
    rules.examine(found, course, () -> runAsRulesSay(found, bound));
  }

  private void runAsRulesSay(StatementPlan found, BoundPlan bound) {
    rules.ask(found, bound);
    if (kept.answer(found, bound, () -> course.run(bound))) {
      return;
    }
    SessionTransaction transaction = session.transaction();
    if (!commits()) {
      course.run(bound);
    } else if (transaction.isBegun()) {
      course.blocking(
          () -> {
            ImplicitCommit.run(statement, session);
            return () -> course.run(bound);
          });
    } else {
      transaction.commitBeforeDdl();
      course.run(bound);
    }
  }
}
