package io.anabranch.testkit;

/**
 * Two servers of one flavour for tests that hold on both: MariaDB, or MySQL where the system
 * property {@code database} is {@code mysql}. {@link MariaDbServers.Resolver} gives them to
 * parameters of this type.
 */
public interface DatabaseServers {

  DatabaseServer primaryA();

  DatabaseServer primaryB();

  /** Whether the run asks for MySQL. */
  static boolean areMySql() {
    return System.getProperty("database", "mariadb").equals("mysql");
  }
}
