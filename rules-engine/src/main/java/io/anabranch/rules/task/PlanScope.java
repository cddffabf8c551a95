package io.anabranch.rules.task;

import io.anabranch.rules.catalog.TemporaryTables;
import io.anabranch.rules.lexer.LexerMode;
import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.PermittedDatabases;
import io.anabranch.rules.plan.LockedTables;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What besides its text changes the plan of a statement; part of the plan cache's key. Sessions
 * keep one instance and replace it when something changes, so that comparing is by identity most
 * times.
 *
 * @param database the session's current logical database
 * @param charset the client's character set
 * @param ansiQuotes {@code sql_mode} ANSI_QUOTES: double quotes delimit identifiers
 * @param noBackslashEscapes {@code sql_mode} NO_BACKSLASH_ESCAPES
 * @param permitted the databases that the user may name: plans are for those who may as much
 * @param settings {@link #DECIDING} variables that the session has set, as SQL text: how the
 *     databases read the statement and which types its columns have
 * @param collation id of the session's collation, 0 for the databases' own; likewise
 * @param temporaries tables that only this session sees
 * @param locks tables that it has locked: it may use no others
 */
public record PlanScope(
    LogicalDatabase database,
    Charset charset,
    boolean ansiQuotes,
    boolean noBackslashEscapes,
    PermittedDatabases permitted,
    Map<String, String> settings,
    int collation,
    TemporaryTables temporaries,
    LockedTables locks) {

  private static final String SORT_LENGTH = "max_sort_length";

  /** Variables that decide what a statement's columns are, and how they compare. */
  public static final List<String> DECIDING =
      List.of(
          "sql_mode",
          "div_precision_increment",
          SORT_LENGTH,
          "character_set_results",
          "character_set_connection",
          "collation_connection",
          "default_collation_for_utf8mb4",
          "character_set_collations",
          "old_mode",
          "group_concat_max_len",
          "lc_time_names",
          "explicit_defaults_for_timestamp");

  public PlanScope {
    settings = Map.copyOf(settings);
  }

  /** How the statement's bytes are read. */
  public LexerMode lexerMode() {
    return LexerMode.of(charset, ansiQuotes, noBackslashEscapes);
  }

  /** {@code sql_mode} as SQL text; empty for the databases' own. */
  public String sqlMode() {
    return settings.getOrDefault("sql_mode", "");
  }

  /** Whether servers refuse values that they cannot store; the databases' own mode is taken so. */
  public boolean isStrict() {
    String mode = sqlMode().toUpperCase(Locale.ROOT);
    return mode.isEmpty() || mode.contains("STRICT") || mode.contains("TRADITIONAL");
  }

  /** Whether 0 asks for a number of AUTO_INCREMENT; the databases' own mode is taken so. */
  public boolean zeroGenerates() {
    return !sqlMode().toUpperCase(Locale.ROOT).contains("NO_AUTO_VALUE_ON_ZERO");
  }

  /** Whether servers fill strings of type CHAR with blanks, those of temporary tables, too. */
  public boolean padsStrings() {
    return sqlMode().toUpperCase(Locale.ROOT).contains("PAD_CHAR_TO_FULL_LENGTH");
  }

  /**
   * Whether columns, those of temporary tables, too, take dates without a month or a day for none.
   */
  public boolean emptiesDates() {
    String mode = sqlMode().toUpperCase(Locale.ROOT);
    return mode.contains("NO_ZERO_IN_DATE") || mode.contains("TRADITIONAL");
  }

  /** Whether MariaDB reads statements as Oracle would: some words mean something else. */
  public boolean isOracle() {
    return sqlMode().toUpperCase(Locale.ROOT).contains("ORACLE");
  }

  /** Whether the session has said how many bytes of a string servers look at when they sort. */
  public boolean shortensKeys() {
    return settings.containsKey(SORT_LENGTH);
  }

  /** The same in another view of the database. */
  public PlanScope on(LogicalDatabase view) {
    return in(view, temporaries);
  }

  /** The same with other temporary tables. */
  public PlanScope having(TemporaryTables own) {
    return in(database, own);
  }

  /** The same of a database with other rules, which is that of this one else. */
  public PlanScope in(LogicalDatabase other, TemporaryTables own) {
    return new PlanScope(
        other, charset, ansiQuotes, noBackslashEscapes, permitted, settings, collation, own, locks);
  }

  /** For users who may do everything, with the databases' own settings. */
  public PlanScope(
      LogicalDatabase database, Charset charset, boolean ansiQuotes, boolean noBackslashEscapes) {
    this(
        database,
        charset,
        ansiQuotes,
        noBackslashEscapes,
        PermittedDatabases.ALL,
        Map.of(),
        0,
        TemporaryTables.NONE,
        LockedTables.NONE);
  }
}
