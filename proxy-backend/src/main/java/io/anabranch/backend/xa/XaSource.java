package io.anabranch.backend.xa;

import io.anabranch.backend.lease.LeaseDesk;
import java.util.function.Supplier;

/**
 * A place where branches may be: a data source or the primary of a group.
 *
 * @param name {@code database.endpoint}
 * @param database the logical database's name
 * @param desk connections of its own, which the application's transactions cannot use up
 * @param member the data source that takes writes now
 */
public record XaSource(String name, String database, LeaseDesk desk, Supplier<String> member) {

  @Override
  public String toString() {
    return name;
  }
}
