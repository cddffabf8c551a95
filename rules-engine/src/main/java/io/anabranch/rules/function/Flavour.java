package io.anabranch.rules.function;

/** Whose functions: a name that a server does not bring along may be a stored function there. */
public enum Flavour {
  MARIADB,
  MYSQL;

  /**
   * @param version as {@code VERSION()} tells it
   */
  public static Flavour ofVersion(String version) {
    return version.contains("MariaDB") ? MARIADB : MYSQL;
  }
}
