package io.anabranch.frontend.session;

import org.jspecify.annotations.Nullable;

/**
 * Knows the databases that clients have created by the rule !CREATE_DATABASE: these are in no file,
 * the servers tell of them. Thread-safe; nothing blocks.
 */
public interface DatabaseRegistry {

  /** Of a proxy that has no such rule. */
  DatabaseRegistry NONE =
      new DatabaseRegistry() {
        @Override
        public boolean created(Backend creator, String name) {
          return false;
        }

        @Override
        public void dropped(String name) {}

        @Override
        public @Nullable String unanswered(String name) {
          return null;
        }
      };

  /**
   * A server has the database: it is one of the proxy's from now on.
   *
   * @param creator the database with the rule
   * @return whether it is new
   */
  boolean created(Backend creator, String name);

  /** It is gone; nothing happens if it was no such database. */
  void dropped(String name);

  /**
   * Why it is not known whether there is such a database.
   *
   * @return the data source that has not said yet which it has; null: it is known
   */
  @Nullable String unanswered(String name);
}
