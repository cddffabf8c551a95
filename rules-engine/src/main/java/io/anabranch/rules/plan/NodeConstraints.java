package io.anabranch.rules.plan;

import java.util.regex.Pattern;

/**
 * What a constraint of a sharded table is called on a node, where names of constraints are unique
 * in a schema: those that clients give have the node's table behind them ({@code big} is {@code
 * big_t_3}) unless the node is called as the table, those that servers make begin with it ({@code
 * t_chk_1} is {@code t_3_chk_1}).
 */
public final class NodeConstraints {

  /** What servers put behind a table's name: of CHECK, and of foreign keys. */
  public static final String MADE = "_(chk|ibfk)_[0-9]+";

  private static final Pattern NUMBERED = Pattern.compile(MADE);

  private NodeConstraints() {}

  /** Whether a server makes such a name for the table. */
  public static boolean isMade(String constraint, String table) {
    return constraint.startsWith(table)
        && NUMBERED.matcher(constraint.substring(table.length())).matches();
  }

  /** A name that a server has made for one table, as it would be for another. */
  public static String made(String constraint, String table, String other) {
    return other + constraint.substring(table.length());
  }

  /**
   * A name that a client has given, on the node.
   *
   * @param actual the node's table
   * @param logical the sharded table
   */
  public static String given(String constraint, String actual, String logical) {
    return actual.equals(logical) ? constraint : constraint + "_" + actual;
  }

  /**
   * The name that clients know.
   *
   * @param name on a node
   * @param actual the node's table
   * @param logical the sharded table
   */
  public static String logical(String name, String actual, String logical) {
    if (isMade(name, actual)) {
      return made(name, actual, logical);
    }
    String suffix = given("", actual, logical);
    return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
  }
}
