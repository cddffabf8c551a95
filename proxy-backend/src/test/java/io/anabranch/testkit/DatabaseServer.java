package io.anabranch.testkit;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * One database server process that a test has started, of either flavour: the account {@link
 * MariaDbServer#USER} has all rights on it.
 */
public interface DatabaseServer extends AutoCloseable {

  int port();

  /** JDBC URL as configuration files have it; an empty {@code database} names none. */
  String url(String database);

  /** A connection of the MariaDB driver; an empty {@code database} selects none. */
  Connection connect(String database) throws SQLException;

  /** Runs statements one after the other on one connection without a database. */
  void execute(String... statements);

  /** The first column of the first row as text; "null" for NULL. */
  String queryOne(String sql);

  @Override
  void close();
}
