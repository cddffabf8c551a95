package io.anabranch.frontend.administration;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One statement of administration.
 *
 * @param pattern how it is written
 * @param access who may use it
 * @param columns of its answer; empty: it is answered with OK
 * @param changes whether it changes anything: to prepare it does nothing
 * @param rows makes the answer; null: another part of the proxy answers it, and it is here to be
 *     named
 */
public record Form(
    FormPattern pattern,
    Access access,
    List<ResultColumn> columns,
    boolean changes,
    @Nullable Rows rows) {

  public Form {
    columns = List.copyOf(columns);
  }

  /** Tells without changing anything. */
  static Form listing(String syntax, Access access, List<ResultColumn> columns, Rows rows) {
    return new Form(FormPattern.of(syntax), access, columns, false, rows);
  }

  /** Does something, and tells what it did in these columns. */
  static Form change(String syntax, Access access, List<ResultColumn> columns, Rows rows) {
    return new Form(FormPattern.of(syntax), access, columns, true, rows);
  }

  /** Answered by another part of the proxy. */
  static Form elsewhere(String syntax, Access access) {
    return new Form(FormPattern.of(syntax), access, List.of(), false, null);
  }

  /**
   * As it is written: words in capitals, names in small letters, what may be left out in brackets.
   */
  public String syntax() {
    return pattern.syntax();
  }

  /** Who may use a statement. */
  public enum Access {
    /** Whoever may use the database that it is about. */
    DATABASE,
    /** Users with {@code admin: true}. */
    ADMIN
  }

  /** Makes the answer, on a virtual thread. */
  @FunctionalInterface
  interface Rows {

    /**
     * A row for each cell list; of a statement that is answered with OK what it warns of: level,
     * code and message.
     *
     * @throws io.anabranch.rules.error.RefusedException with what the client is told
     * @throws io.anabranch.frontend.configuration.ConfigurationRefusedException with all problems
     *     of a configuration
     */
    List<? extends List<@Nullable String>> of(Request request);
  }
}
