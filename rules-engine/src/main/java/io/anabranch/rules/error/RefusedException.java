package io.anabranch.rules.error;

import java.util.Optional;

/**
 * The proxy's own refusal of a statement: becomes an ERR packet, the session lives on. Made only by
 * {@link ErrorCatalogue}.
 */
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ErrorCatalogue entry;
  private final String subject;
  private final transient Object[] arguments;

  /**
   * @param subject the first of the message's arguments; empty if it has none
   */
  RefusedException(ErrorCatalogue entry, String subject, String message, Object... arguments) {
    super(message, null, false, false);
    this.entry = entry;
    this.subject = subject;
    this.arguments = arguments.clone();
  }

  /** As a MySQL server says it; empty where that is what this exception says. */
  public Optional<Wording> inMySql() {
    return MySqlWording.of(entry, arguments);
  }

  /**
   * An error as a client gets it.
   *
   * @param sqlState five characters
   */
  public record Wording(int errno, String sqlState, String message) {}

  /** Whether it is of this entry; several share an error number. */
  public boolean is(ErrorCatalogue other) {
    return entry == other;
  }

  /** Whether no connection of a data source can be had; {@link #subject} is which. */
  public boolean isUnreachable() {
    return is(ErrorCatalogue.DATA_SOURCE_DOWN) || is(ErrorCatalogue.SCHEMA_GONE);
  }

  /** The same, or it is given a rest: another data source may do what this one would. */
  public boolean isAway() {
    return isUnreachable() || is(ErrorCatalogue.DATA_SOURCE_RESTS);
  }

  /** Whether a server would not say it: it has a number of the proxy's own. */
  public boolean isOwn() {
    return entry.isOwn();
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

  /** The proxy's own number of it, as documented: {@code AB2002}. */
  public String id() {
    return entry.id();
  }

  /** Five characters. */
  public String sqlState() {
    return entry.sqlState();
  }
}
