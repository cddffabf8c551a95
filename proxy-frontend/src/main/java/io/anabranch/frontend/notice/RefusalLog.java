package io.anabranch.frontend.notice;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log lines about what the proxy has refused: clients that it did not let in, and statements. Each
 * kind has its pace. Thread-safe.
 */
public final class RefusalLog {

  private static final Logger log = LoggerFactory.getLogger(RefusalLog.class);

  private final Pace clients;
  private final Pace statements;

  /**
   * @param nanoTime as {@code System.nanoTime}
   */
  public RefusalLog(LongSupplier nanoTime) {
    this.clients = new Pace(nanoTime);
    this.statements = new Pace(nanoTime);
  }

  /**
   * A client was not let in.
   *
   * @param told what it was answered, with the user's name
   */
  public void ofClient(int client, String address, int errno, String told) {
    long others = clients.next();
    if (others >= 0) {
      // names are the client's: they must not begin lines of their own
      String line = told.replaceAll("\\p{Cntrl}", "?");
      log.warn(
          "client {} at {} was refused: {} {}{}",
          client,
          address,
          errno,
          line,
          Pace.others(others));
    }
  }

  /**
   * The proxy has refused a statement. Its text, and messages that cite it, stay out of the log.
   *
   * @param session with user and address
   * @param code of the error
   */
  public void ofStatement(Object session, int errno, String code) {
    long others = statements.next();
    if (others >= 0) {
      log.info("{}: a statement was refused: {} ({}){}", session, errno, code, Pace.others(others));
    }
  }
}
