package io.anabranch.backend.health;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection for questions. Used on one thread; blocks, but no longer than its time limit. */
public interface Asker extends AutoCloseable {

  /**
   * @return the rows, each by lower-case column label; values as text, null for NULL
   * @throws AskException if there is no answer, or an error
   */
  List<Map<String, @Nullable String>> ask(String sql) throws AskException;

  @Override
  void close();

  /** Opens such connections to one data source. */
  interface Opener {
    /**
     * @param timeoutMilliseconds for connecting and for each answer
     */
    Asker open(long timeoutMilliseconds) throws AskException;
  }

  /** The data source did not answer, or with an error. */
  final class AskException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * @param errno the database's; 0 if it did not answer
     */
    public AskException(int errno, String message, Throwable cause) {
      super(message, cause);
      this.errno = errno;
    }

    /** Whether the database answered, and the connection is good for the next question. */
    public boolean isAnswer() {
      return errno != 0;
    }
  }
}
