package io.anabranch.backend.transaction.commit;

import org.jspecify.annotations.Nullable;

/**
 * The name of one branch of a distributed transaction. Both parts are printable ASCII without
 * quotes, at most 64 bytes each.
 *
 * <p>See <a href="https://dev.mysql.com/doc/refman/8.4/en/xa-statements.html">XA Transaction SQL
 * Statements</a>.
 *
 * @param global the same for all branches of the transaction
 * @param branch what tells them apart, even where two data sources are on one server
 */
public record Xid(String global, String branch) {

  /** Longest part, in bytes. */
  public static final int MAX_LENGTH = 64;

  /** The format number of this proxy's names: "ANAB" in ASCII. */
  public static final int FORMAT = 0x414E4142;

  public Xid {
    check(global);
    check(branch);
  }

  /** The {@code ordinal}th branch of a transaction, on that data source. */
  public static Xid of(String global, int ordinal, String dataSource) {
    var branch = new StringBuilder().append(ordinal).append(':');
    int room = Math.min(dataSource.length(), MAX_LENGTH - branch.length());
    for (int i = 0; i < room; i++) {
      char c = dataSource.charAt(i);
      branch.append(isAllowed(c) ? c : '_');
    }
    return new Xid(global, branch.toString());
  }

  /** A name that a database tells; null where it is none that a proxy gives. */
  public static @Nullable Xid told(String global, String branch) {
    return isName(global) && isName(branch) ? new Xid(global, branch) : null;
  }

  private static boolean isName(String part) {
    return !part.isEmpty()
        && part.length() <= MAX_LENGTH
        && part.chars().allMatch(c -> isAllowed((char) c));
  }

  /** As statements have it: {@code 'global','branch',format}. */
  public String sql() {
    return "'" + global + "','" + branch + "'," + FORMAT;
  }

  private static void check(String part) {
    if (!isName(part)) {
      throw new IllegalArgumentException(
          "1 to " + MAX_LENGTH + " printable bytes, not '" + part + "'");
    }
  }

  private static boolean isAllowed(char c) {
    return c > ' ' && c < 0x7F && c != '\'' && c != '\\';
  }
}
