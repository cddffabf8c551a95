package io.anabranch.backend.stage;

import io.anabranch.rules.error.ErrorCatalogue;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many statements stage in a data source at the same time. A statement that stages needs a
 * connection to stage in and others to read with; were all connections of a pool staging ones,
 * everybody would wait for connections to read with until the pool's deadline. Users share the
 * rooms. One per rule set; thread-safe.
 */
public final class StageRooms {

  private static final long LONGEST_WAIT_MILLISECONDS = 30_000;
  private static final long LOOK_UP_MILLISECONDS = 100;

  private final Map<Place, StageLine> lines = new ConcurrentHashMap<>();

  /**
   * Takes a room; waits on the calling virtual thread.
   *
   * @param database logical database: names of data sources are unique within one only
   * @param size rooms that the data source has
   * @param user who shares them with others
   * @param ending gives the reason why the statement is to end; null: it goes on
   * @return to be closed when the connection has been given back
   * @throws io.anabranch.rules.error.RefusedException LEASE_TIMEOUT
   */
  public Room enter(
      String database,
      String dataSource,
      int size,
      String user,
      Supplier<@Nullable RuntimeException> ending) {
    if (size < 1) {
      throw ErrorCatalogue.NOT_SUPPORTED.refuse(
          "a statement over several data sources with one connection to '" + dataSource + "'",
          "raise its maxPoolSize to 2 or more");
    }
    StageLine line =
        lines.computeIfAbsent(new Place(database, dataSource), place -> new StageLine(size));
    StageLine.Asker asker = line.join(user);
    boolean isIn = false;
    try {
      for (long waited = 0; waited < LONGEST_WAIT_MILLISECONDS; waited += LOOK_UP_MILLISECONDS) {
        if (asker.await(LOOK_UP_MILLISECONDS)) {
          isIn = true;
          return () -> line.leave(asker);
        }
        RuntimeException reason = ending.get();
        if (reason != null) {
          throw reason;
        }
      }
      throw ErrorCatalogue.LEASE_TIMEOUT.refuse(dataSource, LONGEST_WAIT_MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw ErrorCatalogue.QUERY_INTERRUPTED.refuse();
    } finally {
      if (!isIn) {
        line.leave(asker);
      }
    }
  }

  /** One statement's right to stage. */
  public interface Room extends AutoCloseable {
    @Override
    void close();
  }

  private record Place(String database, String dataSource) {}
}
