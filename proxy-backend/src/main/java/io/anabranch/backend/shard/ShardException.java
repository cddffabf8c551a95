package io.anabranch.backend.shard;

import io.anabranch.rules.plan.LogicalNames;
import io.anabranch.rules.plan.NameMapping;
import java.util.List;

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
    private final List<List<String>> problems;

    public Database(int errno, String sqlState, String message) {
      this(errno, sqlState, message, List.of());
    }

    private Database(int errno, String sqlState, String message, List<List<String>> problems) {
      super(message);
      this.errno = errno;
      this.sqlState = sqlState;
      this.problems = List.copyOf(problems);
    }

    public int errno() {
      return errno;
    }

    public String sqlState() {
      return sqlState;
    }

    /**
     * What SHOW WARNINGS tells of the statement: level, code and message, the error among them and
     * warnings in front of it. Empty where nobody has asked.
     */
    public List<List<String>> problems() {
      return problems;
    }

    /** The same error and all that SHOW WARNINGS tells, with logical names. */
    public Database among(List<List<String>> told) {
      return new Database(errno, sqlState, text(), told);
    }

    /** The same error, said otherwise. */
    public Database saying(String message) {
      return new Database(errno, sqlState, message, problems);
    }

    /** The same error, in which tables have the client's names. */
    public Database withTablesOf(NameMapping names) {
      return saying(LogicalNames.in(text(), names));
    }

    /** The same error, in which the schema {@code actual} of the database has the client's name. */
    public Database withSchemaOf(NameMapping names, String actual) {
      return saying(LogicalNames.ofSchema(text(), names, actual));
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

    /** Whether the server says this before it closes the connection. */
    public static boolean endsConnection(int errno) {
      return switch (errno) {
        case 1053, 1080, 1152, 1156, 1157, 1158, 1159, 1160, 1161, 1184, 1927, 3169, 4031 -> true;
        default -> false;
      };
    }

    /**
     * Whether the transaction may be over with an error, by the server's configuration or state: it
     * is to be asked. False for the common ones that leave it, and for those that end it always.
     */
    public static boolean mayEndTransaction(int errno) {
      return switch (errno) {
        case 0, 1022, 1044, 1048, 1052, 1054, 1062, 1064, 1136, 1142, 1143, 1146, 1242, 1264 ->
            false;
        case 1292, 1305, 1364, 1365, 1366, 1406, 1451, 1452, 1644, 1690, 1792, 3819, 4025 -> false;
        default -> !endsTransaction(errno) && !endsConnection(errno);
      };
    }

    /**
     * Whether an error comes before tables are used: a syntax error, an unknown name, read-only, no
     * such prepared statement.
     */
    public static boolean precedesTables(int errno) {
      return switch (errno) {
        case 0, 1054, 1064, 1146, 1243, 1792 -> true;
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
