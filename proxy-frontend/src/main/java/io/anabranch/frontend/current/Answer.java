package io.anabranch.frontend.current;

import io.anabranch.backend.lease.Lease;
import io.anabranch.frontend.session.Session;
import io.anabranch.protocol.command.ExecuteParameters;
import io.anabranch.rules.effort.Wish;
import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a statement that the proxy handles itself is answered: exactly one of the methods that say so
 * ends it. On the session's event loop.
 */
public interface Answer {

  Session session();

  /** Ends it with OK. */
  void ok();

  /** The OK or the rows that follow tell of these: level, code, message each. */
  void warned(List<List<String>> rows);

  /** Ends it with a result; cells are text, null is NULL. */
  void rows(List<ResultColumn> columns, List<? extends List<@Nullable String>> rows);

  /** What the last statement left behind stays as it is, whatever this one does. */
  void keepDiagnostics();

  /** Ends it with an error. */
  void fail(Throwable failure);

  /**
   * Runs {@code work} on a virtual thread, then what it gave on the event loop; ends it with an
   * error if the work throws.
   */
  void blocking(Supplier<Runnable> work);

  /**
   * Begins {@code work}, which waits for nothing; ends it with OK or an error as the work tells
   * later, or at once.
   */
  void awaiting(Consumer<Consumer<@Nullable Throwable>> work);

  /**
   * Ends it with the answer of the database to {@code sql} on a connection that the session has.
   */
  void relay(Lease lease, byte[] sql);

  /**
   * Runs when this statement, or the one that takes its place, has been answered; in front of what
   * was to run until now.
   */
  void afterwards(Runnable last);

  /** Goes on with another statement in the place of this one. */
  void instead(String sql);

  /**
   * The same with one that was prepared.
   *
   * @param database the one that was selected then; null: none
   */
  void insteadOf(String sql, @Nullable String database);

  /**
   * The same with values for its markers, which databases get as parameters.
   *
   * @param values of user variables, which know what executions before have left of their types
   */
  void insteadOf(String sql, @Nullable String database, ExecuteParameters values);

  /**
   * Prepares {@code sql} in the place of this statement, and ends it with OK.
   *
   * @param prepared runs when that went well
   */
  void prepareInstead(String sql, Runnable prepared);

  /** A plan is made for the answer: whether it is still waited for. */
  Wish planning();

  /** Goes the way of statements that databases answer. */
  void plan();

  /** Closes the client's connection when the answer has been sent. */
  void closeAfterwards();
}
