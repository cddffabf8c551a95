package io.anabranch.rules.error;

import io.anabranch.rules.error.RefusedException.Wording;
import java.util.Map;
import java.util.Optional;

/**
 * What MySQL calls otherwise than MariaDB. See <a
 * href="https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html">Server Error
 * Message Reference</a>.
 */
final class MySqlWording {

  /** Templates take the arguments of the entry. */
  private static final Map<ErrorCatalogue, Wording> OTHERS =
      Map.of(
          ErrorCatalogue.TOO_MANY_TABLES,
          new Wording(1116, "HY000", "Too many tables; MySQL can only use %d tables in a join"),
          ErrorCatalogue.SYNTAX,
          new Wording(
              1064,
              "42000",
              "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
                  + " server version for the right syntax to use near '%s' at line %d"),
          ErrorCatalogue.NO_TABLE_OF_NO_DATABASE,
          new Wording(1049, "42000", "Unknown database '%s'"),
          ErrorCatalogue.UNKNOWN_VIEW,
          new Wording(1051, "42S02", "Unknown table '%s'"),
          ErrorCatalogue.NO_LOCAL_FILES,
          new Wording(
              3948,
              "42000",
              "Loading local data is disabled; this must be enabled on both the client and server"
                  + " sides"),
          ErrorCatalogue.TABLE_DENIED,
          new Wording(1142, "42000", "%1$s command denied to user '%2$s'@'%3$s' for table '%5$s'"),
          ErrorCatalogue.TRIGGER_EXISTS,
          new Wording(1359, "HY000", "Trigger already exists"),
          ErrorCatalogue.NO_OPEN_CURSOR,
          new Wording(1421, "HY000", "The statement (%s) has no open cursor."),
          ErrorCatalogue.CONNECTION_KILLED,
          new Wording(1317, "70100", "Query execution was interrupted"));

  private MySqlWording() {}

  /** Empty: MySQL says the same. */
  static Optional<Wording> of(ErrorCatalogue entry, Object... arguments) {
    return Optional.ofNullable(OTHERS.get(entry))
        .map(
            other ->
                new Wording(other.errno(), other.sqlState(), other.message().formatted(arguments)));
  }
}
