package io.anabranch.rules.error;

/**
 * The proxy's own refusal of a statement: becomes an ERR packet, the session lives on. Made only by
 * {@link ErrorCatalogue}.
 */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCatalogue entry;
  private final String subject;

  /**
   * @param subject the first of the message's arguments; empty if it has none
   */
  RefusedException(ErrorCatalogue entry, String subject, String message) {
    super(message, null, false, false);
    this.entry = entry;
    this.subject = subject;
  }

  /** Whether it is of this entry; several share an error number. */
  public boolean is(ErrorCatalogue other) {
    return entry == other;
  }

  /**
   * What it is about, the first of the message's arguments: of what data sources lost or refused,
   * the data source's name. Empty if there is none.
   */
  public String subject() {
    return subject;
  }

  /** MySQL's error number. */
  public int errno() {
    return entry.errno();
  }

  /** Five characters. */
  public String sqlState() {
    return entry.sqlState();
  }
}
