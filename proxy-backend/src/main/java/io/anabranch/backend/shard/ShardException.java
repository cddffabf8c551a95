package io.anabranch.backend.shard;

import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;

/** A shard query that did not succeed. */
public abstract sealed class ShardException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private ShardException(String message) {
    super(message, null, false, false);
  }

  /** The database answered with an error; the connection is fine. */
  public static final class Database extends ShardException {
    private static final long serialVersionUID = 1L;
    private final int errno;
    private final String sqlState;

    public Database(int errno, String sqlState, String message) {
      super(message);
      this.errno = errno;
      this.sqlState = sqlState;
    }

    public int errno() {
      return errno;
    }

    public String sqlState() {
      return sqlState;
    }

    /** The same error, in which tables have the client's names. */
    public Database withTablesOf(NameMapping names) {
      return new Database(errno, sqlState, LogicalNames.in(text(), names));
    }

    /** The same error, in which the schema {@code actual} of the database has the client's name. */
    public Database withSchemaOf(NameMapping names, String actual) {
      return new Database(errno, sqlState, LogicalNames.ofSchema(text(), names, actual));
    }

    private String text() {
      String message = getMessage();
      return message == null ? "" : message;
    }

    /** Whether the database rolled the whole transaction back (deadlock and the like). */
    public boolean endsTransaction() {
      return endsTransaction(errno);
    }

    /** The same of an error number. */
    public static boolean endsTransaction(int errno) {
      return errno == 1213 || errno == 1020 || errno == 1614 || errno == 3101;
    }

    /**
     * Whether an error comes before tables are used: a syntax error, an unknown name, read-only.
     */
    public static boolean precedesTables(int errno) {
      return switch (errno) {
        case 0, 1054, 1064, 1146, 1792 -> true;
        default -> false;
      };
    }
  }

  /** The connection broke. */
  public static final class Lost extends ShardException {
    private static final long serialVersionUID = 1L;
    private final boolean sent;

    /**
     * @param sent whether any byte of the command may have reached the database
     */
    public Lost(String message, boolean sent) {
      super(message);
      this.sent = sent;
    }

    public boolean mayHaveRun() {
      return sent;
    }
  }
}
