package io.anabranch.rules.right;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * MySQL's privileges on databases and what is in them, in the order in which SHOW GRANTS names
 * them.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/privileges-provided.html">Privileges
 * Provided by MySQL</a>.
 */
public enum Privilege {
  SELECT,
  INSERT,
  UPDATE,
  DELETE,
  CREATE,
  DROP,
  REFERENCES,
  INDEX,
  ALTER,
  CREATE_TEMPORARY_TABLES,
  LOCK_TABLES,
  EXECUTE,
  CREATE_VIEW,
  SHOW_VIEW,
  CREATE_ROUTINE,
  ALTER_ROUTINE,
  EVENT,
  TRIGGER,
  /** MariaDB's, of tables that keep former rows. */
  DELETE_HISTORY;

  /** {@code ALL PRIVILEGES}. */
  public static final Set<Privilege> ALL = Set.copyOf(EnumSet.allOf(Privilege.class));

  /** Those on tables and views: who has one of them may see the table. */
  public static final Set<Privilege> OF_TABLES =
      Set.of(
          SELECT,
          INSERT,
          UPDATE,
          DELETE,
          CREATE,
          DROP,
          REFERENCES,
          INDEX,
          ALTER,
          CREATE_VIEW,
          SHOW_VIEW,
          TRIGGER,
          DELETE_HISTORY);

  /** Those on stored routines: who has one of them may see that there are some. */
  public static final Set<Privilege> OF_ROUTINES = Set.of(EXECUTE, CREATE_ROUTINE, ALTER_ROUTINE);

  private static final Set<Privilege> READ = Set.of(SELECT, SHOW_VIEW);
  private static final Set<Privilege> WRITE = Set.of(INSERT, UPDATE, DELETE);
  private static final Set<Privilege> DDL =
      Set.of(CREATE, DROP, REFERENCES, INDEX, ALTER, CREATE_TEMPORARY_TABLES, CREATE_VIEW);

  /**
   * What the words stand for: a privilege, or one of the classes READ, WRITE, DDL and ALL.
   *
   * @param text in any case
   * @return null if they are unknown
   */
  public static @Nullable Set<Privilege> named(String text) {
    String words = text.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", "_");
    return switch (words) {
      case "ALL", "ALL_PRIVILEGES" -> ALL;
      case "READ" -> READ;
      case "WRITE" -> WRITE;
      case "DDL" -> DDL;
      default -> {
        for (Privilege privilege : values()) {
          if (privilege.name().equals(words)) {
            yield Set.of(privilege);
          }
        }
        yield null;
      }
    };
  }

  /** As SQL writes it. */
  public String words() {
    return name().replace('_', ' ');
  }
}
