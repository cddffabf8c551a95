package io.anabranch.frontend.privilege;

import java.util.function.Predicate;

/**
 * What names mean where a statement is compared with rights. Both questions may block, if whoever
 * asks may.
 *
 * @param database the logical database that names without a schema are of; empty: none
 * @param own whether a schema is that database, or what its servers call it
 * @param views whether a name is one of its views
 */
public record KnownNames(String database, Predicate<String> own, Predicate<String> views) {

  /** Where nobody can be asked: the statement is compared once more before it is planned. */
  public static KnownNames of(String database) {
    return new KnownNames(database, database::equalsIgnoreCase, name -> false);
  }
}
