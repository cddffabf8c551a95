package io.anabranch.frontend.current;

import io.anabranch.frontend.session.Backend;
import io.anabranch.frontend.session.Session;
import io.anabranch.frontend.session.StatementListener.Lane;
import io.anabranch.rules.plan.BoundPlan.GeneratedKey;
import io.anabranch.rules.plan.NameMapping;
import io.anabranch.rules.plan.StatementPlan;
import io.anabranch.rules.plan.StatementPlan.Access;
import org.jspecify.annotations.Nullable;

/**
 * Where the statement goes: the database whose data sources it uses, the plan by which, the lane,
 * and what clients are told in place of the actual names and keys.
 */
public final class StatementTarget {

  private static final NameMapping NO_NAMES = NameMapping.ofSchema("");

  private final Session session;

  private @Nullable Backend backend;
  private @Nullable String preparedIn;
  private @Nullable DatabaseStatement definition;
  private @Nullable StatementPlan plan;
  private NameMapping names = NO_NAMES;
  private Access access = Access.WRITE;
  private Lane lane = Lane.LOCAL;
  private GeneratedKey key = GeneratedKey.NONE;

  StatementTarget(Session session) {
    this.session = session;
  }

  void begin() {
    lane = Lane.LOCAL;
    access = Access.WRITE;
    names = NO_NAMES;
  }

  void ended() {
    plan = null;
    key = GeneratedKey.NONE;
    backend = null;
    preparedIn = null;
    definition = null;
  }

  /** It was planned: this is the plan, with its names and access. */
  public void planned(StatementPlan found) {
    plan = found;
    names = found.names();
    access = found.access();
  }

  public @Nullable StatementPlan plan() {
    return plan;
  }

  /** Whose data sources the statement uses; any where none has been chosen. */
  public Backend chosen() {
    Backend on = backend;
    return on == null ? session.anyBackend() : on;
  }

  /** Null: none has been chosen. */
  public @Nullable Backend backend() {
    return backend;
  }

  public void backend(@Nullable Backend next) {
    backend = next;
  }

  /**
   * The database in which its text was prepared by name; null: it was not, or none was selected.
   */
  public @Nullable String preparedIn() {
    return preparedIn;
  }

  public void preparedIn(@Nullable String database) {
    preparedIn = database;
  }

  /** What it does to a database as a whole; null: nothing. */
  public @Nullable DatabaseStatement definition() {
    return definition;
  }

  public void definition(@Nullable DatabaseStatement next) {
    definition = next;
  }

  /** Of actual tables and schemas to logical ones. */
  public NameMapping names() {
    return names;
  }

  public void names(NameMapping next) {
    names = next;
  }

  /** Whether it may run on a replica. */
  public Access access() {
    return access;
  }

  public void access(Access next) {
    access = next;
  }

  public Lane lane() {
    return lane;
  }

  public void lane(Lane next) {
    lane = next;
  }

  /** What the client is told as LAST_INSERT_ID(). */
  public GeneratedKey key() {
    return key;
  }

  public void key(GeneratedKey next) {
    key = next;
  }
}
