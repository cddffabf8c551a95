package io.anabranch.rules.error;

/**
 * The proxy's own refusal of a statement: becomes an ERR packet, the session lives on. Made only by
 * {@link ErrorCatalogue}.
 */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int errno;
  private final String sqlState;

  RefusedException(int errno, String sqlState, String message) {
    super(message, null, false, false);
    this.errno = errno;
    this.sqlState = sqlState;
  }

  /** MySQL's error number. */
  public int errno() {
    return errno;
  }

  /** Five characters. */
  public String sqlState() {
    return sqlState;
  }
}
