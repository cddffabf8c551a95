package io.anabranch.frontend.session;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.relay.command.RelayCursor;
import io.anabranch.backend.transaction.SessionConnections;
import io.anabranch.frontend.auth.AuthenticationRealm;
import io.anabranch.frontend.session.prepared.OpenCursor;
import io.anabranch.frontend.session.prepared.PreparedStatement;
import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.plan.LockedTables;
import io.anabranch.rules.task.PlanScope;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The database that a session's statements are for, and what plans are made for in it. Used by
 * whoever uses the session.
 */
public final class CurrentDatabase {

  private final Session session;
  private @Nullable Backend backend;
  private @Nullable String systemSchema;

  /** What the server calls the schema that the session's connections are in: none of ours. */
  private @Nullable String ofConnections;

  private @Nullable Backend target;

  /** Connections are in the database of the running statement, and come back. */
  private boolean isVisiting;

  private @Nullable PlanScope scope;
  private TemporaryTables temporaries = TemporaryTables.NONE;
  private LockedTables locks = LockedTables.NONE;

  /** The current database is not there any more. */
  private boolean isGone;

  /** The user may not use it any more. */
  private boolean isDenied;

  CurrentDatabase(Session session) {
    this.session = session;
  }

  // ---------------------------------------------------------------- which it is

  /** The current logical database; null when none is selected, or it has no data source yet. */
  @Nullable Backend backend() {
    Backend current = backend;
    return current == null || current.database().isEmpty() ? null : current;
  }

  /** The same, whatever it has. */
  public @Nullable Backend selected() {
    return backend;
  }

  /** Why a statement is refused that needs a current database, where there is none to run it. */
  public RefusedException missing() {
    Backend current = backend;
    return current == null
        ? ErrorCatalogue.NO_DATABASE_SELECTED.refuse()
        : ErrorCatalogue.NO_STORAGE_UNIT.refuse(current.database().name());
  }

  /**
   * Selects a logical database.
   *
   * @throws RefusedException 1046, 1049, 1044; also when connections of another database are held
   */
  public void use(String name) {
    if (name.isEmpty()) {
      throw ErrorCatalogue.NO_DATABASE_SELECTED.refuse();
    }
    String lower = name.toLowerCase(Locale.ROOT);
    AuthenticationRealm realm = session.deployment().realm();
    if (realm.isSchema(lower)) {
      realm.checkDatabase(session.user(), session.userName(), session.clientHost(), name);
      systemSchema = lower;
      session.changes().schema(lower);
      return;
    }
    Backend wanted = permitted(name);
    Backend current = backend;
    if (current != null
        && (ofConnections != null || !current.database().equals(wanted.database()))
        && session.connections().areBound()
        && !moves(current, wanted)) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "USE of a database on another server while " + session.connections().binding(),
          "end it first, or use another connection");
    }
    backend = wanted;
    isGone = false;
    isDenied = false;
    systemSchema = null;
    ofConnections = null;
    session.changes().schema(wanted.database().name());
    rescope();
  }

  /**
   * Other rules are the session's, and its user is who it is in them: the current database may be
   * another, gone, or not the user's any more.
   */
  void follow(Deployment next) {
    Backend current = backend;
    if (current == null) {
      return;
    }
    Backend present = next.backend(current.database().name());
    isGone = present == null;
    isDenied = !isPermitted(current.database().name());
    if (present != null) {
      backend = present;
      rescope();
    }
  }

  /**
   * The current database may have been dropped, or taken from the user, since it was selected.
   *
   * @throws RefusedException 1049 if it is gone, 1044 if the user may not use it: what a new login
   *     is told
   */
  public void requirePresent() {
    Backend current = backend;
    if (current == null) {
      return;
    }
    String name = current.database().name();
    if (isDenied) {
      throw ErrorCatalogue.DATABASE_ACCESS_DENIED.refuse(
          session.userName(), session.clientHost(), name);
    }
    if (isGone) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(name);
    }
  }

  /** The database was dropped in this session: no database is selected if it was the current. */
  public void dropped(String name) {
    Backend current = backend;
    if (current != null && current.database().name().equals(name)) {
      leave();
    }
  }

  /**
   * Connections that the session holds go with it where nothing but the pool of its pass-through
   * database is another one: its size, say.
   *
   * @return false if they cannot: then nothing has changed
   */
  boolean moves(Deployment next) {
    Backend current = backend;
    Backend present = current == null ? null : next.backend(current.database().name());
    return current != null
        && present != null
        && current.database().isSameAs(present.database())
        && move(present, true);
  }

  /** Connections that the session holds go with it to another database of their server. */
  private boolean moves(Backend from, Backend to) {
    return from.database().isOnServerOf(to.database()) && move(to, false);
  }

  /**
   * @param areThere whether the connections are in its schema already
   */
  private boolean move(Backend to, boolean areThere) {
    SessionConnections connections = session.connections();
    String source = to.database().endpoints().getFirst();
    if (!connections.move(to.desk(), source, to.database().schema(), areThere)) {
      return false;
    }
    for (PreparedStatement statement : session.statements().all()) {
      if (statement.cursor() instanceof OpenCursor.InDatabase(Lease lease, RelayCursor cursor)) {
        statement.cursor(new OpenCursor.InDatabase(connections.moved(lease), cursor));
      }
    }
    return true;
  }

  /**
   * The connection that a statement has run on is in another schema since, by what the statement
   * had inside, such as EXECUTE IMMEDIATE 'USE …'. The session keeps it.
   *
   * @param schema what the server calls it
   * @param before the schema that the connection was in
   */
  public void follow(String schema, String before) {
    Backend current = backend();
    if (current == null || (ofConnections == null && schema.equals(before))) {
      return;
    }
    Backend wanted = beside(current, schema);
    boolean isNamed = wanted != null && move(wanted, true);
    backend = isNamed ? wanted : current;
    ofConnections = isNamed ? null : schema;
    systemSchema = null;
    rescope();
  }

  /** The database that the current one's server calls so, if the user may see it. */
  private @Nullable Backend beside(Backend current, String schema) {
    if (current.database().isCalled(schema)) {
      return current;
    }
    for (Backend each : session.deployment().backends().values()) {
      if (each.database().isCalled(schema)
          && current.database().isOnServerOf(each.database())
          && isPermitted(each.database().name())) {
        return each;
      }
    }
    return null;
  }

  /**
   * The server's own schema that the session uses instead of its database, in lower case; null:
   * none. Statements then name it, see {@code frontend.current}.
   */
  public @Nullable String systemSchema() {
    return systemSchema;
  }

  /** What DATABASE() says; null: none is selected. */
  public @Nullable String name() {
    Backend current = backend;
    if (systemSchema != null || ofConnections != null) {
      return systemSchema == null ? ofConnections : systemSchema;
    }
    return current == null ? null : current.database().name();
  }

  /** No database is selected. */
  void leave() {
    backend = null;
    isGone = false;
    isDenied = false;
    ofConnections = null;
    systemSchema = null;
    // what was masked then is not what is now
    rescope();
  }

  // ---------------------------------------------------------------- which it may be

  /** The logical database of that name, if the session's user may see it. */
  public Backend permitted(String name) {
    Deployment current = session.deployment();
    String unanswered = current.backend(name) == null ? current.registry().unanswered(name) : null;
    if (unanswered != null && isPermitted(name)) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(
          unanswered, "it has not told yet whether it has the database '" + name + "'");
    }
    current.realm().checkDatabase(session.user(), session.userName(), session.clientHost(), name);
    Backend wanted = current.backend(name);
    if (wanted == null) {
      throw ErrorCatalogue.UNKNOWN_DATABASE.refuse(name);
    }
    return wanted;
  }

  public boolean isPermitted(String database) {
    return session.deployment().realm().permits(session.user(), database);
  }

  /** Whether the user is kept to its databases, see {@link AuthenticationRealm#restricts}. */
  public boolean isRestricted() {
    return session.deployment().realm().restricts(session.user());
  }

  /**
   * Where statements go that need any database: the current, or the first permitted.
   *
   * @throws RefusedException as {@link #requirePresent}: what they name is the current database's
   */
  Backend any() {
    requirePresent();
    Backend found = anyThatIsThere();
    if (found == null) {
      throw missing();
    }
    return found;
  }

  /** Whether there is a data source that may be asked for something that is no table's. */
  public boolean hasServer() {
    return anyThatIsThere() != null;
  }

  private @Nullable Backend anyThatIsThere() {
    Backend current = backend();
    if (current != null) {
      return current;
    }
    for (Backend candidate : session.deployment().backends().values()) {
      if (!candidate.database().isEmpty() && isPermitted(candidate.database().name())) {
        return candidate;
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- plans

  /** What plans are made for; null when no database is selected. */
  public @Nullable PlanScope scope() {
    return scope;
  }

  /** Scope and lexer of a statement on another database than the current. */
  public PlanScope scopeOf(Backend other) {
    SessionLanguage language = session.language();
    return new PlanScope(
        other.database(),
        language.charset(),
        language.lexerMode().ansiQuotes(),
        language.lexerMode().noBackslashEscapes(),
        permitted(),
        language.deciding(),
        language.settings().collation(),
        temporaries,
        locks);
  }

  private PermittedDatabases permitted() {
    return session.deployment().realm().permitted(session.user());
  }

  /** Whether the user sees columns of some database masked. */
  public boolean isMasked() {
    PlanScope known = scope;
    return !(known == null ? permitted() : known.permitted()).masked().isEmpty();
  }

  /** What plans depend on has changed. */
  void rescope() {
    Backend current = backend();
    scope = current == null ? null : session.deployment().planner().known(scopeOf(current));
  }

  /** Tables that only this session sees, in its current database. */
  public TemporaryTables temporaries() {
    return temporaries;
  }

  /** They are others from now on. */
  public void temporaries(TemporaryTables changed) {
    if (!temporaries.equals(changed)) {
      temporaries = changed;
      rescope();
    }
  }

  /** Tables of a sharded database that the session has locked. */
  public LockedTables locks() {
    return locks;
  }

  /** It has locked others, or none. */
  public void locks(LockedTables changed) {
    if (!locks.equals(changed)) {
      locks = changed;
      rescope();
    }
  }

  /** Its tables, and the schema that a program led them to, went with its connections. */
  void forgetConnections() {
    ofConnections = null;
    temporaries = TemporaryTables.NONE;
    locks = LockedTables.NONE;
    rescope();
  }

  // ---------------------------------------------------------------- connections

  /** Whose data sources the running statement uses; null: those of the current database. */
  public void target(@Nullable Backend ofStatement) {
    Backend current = backend();
    if (ofStatement != null
        && current != null
        && !ofStatement.database().equals(current.database())
        && (session.transaction().isOpen() || session.connections().areBound())) {
      visit(ofStatement);
    }
    target = ofStatement;
    if (ofStatement == null && isVisiting && current != null) {
      isVisiting = false;
      move(current, false);
    }
  }

  /** A statement that was prepared in another database runs there, on the same connections. */
  private void visit(Backend other) {
    Backend current = backend;
    if (isVisiting) {
      return;
    }
    isVisiting = current != null && moves(current, other);
    if (!isVisiting) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement on another database while " + session.connections().binding(),
          "end it first, or use another connection");
    }
  }

  LeaseDesk desk() {
    Backend wanted = target;
    return wanted == null ? any().desk() : wanted.desk();
  }
}
