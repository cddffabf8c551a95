package io.anabranch.rules.right;

import org.jspecify.annotations.Nullable;

/**
 * One right that a statement needs. Schemas are as the statement writes them; null is the current
 * database.
 */
public sealed interface Need {

  @Nullable String schema();

  /** A privilege on a table or a view. */
  record OnTable(Privilege privilege, @Nullable String schema, String table) implements Need {}

  /** Any privilege on a table: enough to be told what it looks like. */
  record Sight(@Nullable String schema, String table) implements Need {}

  /** To be told how a table is defined; of a view that is its query, which needs SHOW VIEW. */
  record Definition(@Nullable String schema, String table) implements Need {}

  /**
   * To be told how a table is used; of a view that tells what is behind it, also where it is
   * changed.
   */
  record Explanation(@Nullable String schema, String table) implements Need {}

  /**
   * A table whose rows are read and locked to be changed: MySQL wants a right to change them, or to
   * lock tables, MariaDB nothing more.
   */
  record Locked(@Nullable String schema, String table) implements Need {}

  /** A privilege on a database as a whole. */
  record OnDatabase(Privilege privilege, @Nullable String schema) implements Need {}

  /**
   * A privilege on a stored routine, which may do anything in its database.
   *
   * @param privilege EXECUTE or ALTER ROUTINE
   */
  record Routine(Privilege privilege, @Nullable String schema, String name) implements Need {}

  /** All privileges on a database: of statements whose text runs later, by other rights. */
  record Everything(@Nullable String schema) implements Need {}

  /**
   * What may be changed through a view must be so in its table.
   *
   * @param viewSchema of the view
   */
  record Through(@Nullable String viewSchema, String view, @Nullable String schema, String table)
      implements Need {}
}
