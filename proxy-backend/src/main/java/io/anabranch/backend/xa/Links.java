package io.anabranch.backend.xa;

import io.anabranch.backend.pool.Lease;
import io.anabranch.backend.pool.LeaseDesk;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the log's and the recovery's own statements, each with a deadline. Thread-safe; blocks. */
final class Links {

  /** The same for all: a connection that is leased on another loop than before has to move. */
  private final EventLoop loop;

  private final long timeoutMilliseconds;

  /**
   * @param timeoutMilliseconds for what is done with one connection
   */
  Links(EventLoopGroup loops, long timeoutMilliseconds) {
    this.loop = loops.next();
    this.timeoutMilliseconds = timeoutMilliseconds;
  }

  /** What is done with one connection. */
  interface Work<T> {
    T with(Link link);
  }

  /**
   * Takes a connection, works and gives it back. When the time is up the connection is closed.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is no connection to be had
   * @throws ShardException as the statements do
   */
  <T> T run(XaSource source, Work<T> work) {
    Lease lease =
        source.desk().leaseBlocking(new LeaseDesk.Request(source.member().get(), false, loop));
    var deadline =
        loop.schedule(
            () -> lease.discard("no answer within " + timeoutMilliseconds + " ms"),
            timeoutMilliseconds,
            TimeUnit.MILLISECONDS);
    boolean isGood = false;
    try {
      T result = work.with(new Link(lease));
      isGood = true;
      return result;
    } catch (ShardException.Database refused) {
      isGood = true;
      throw refused;
    } finally {
      deadline.cancel(false);
      if (isGood) {
        lease.release();
      } else {
        lease.discard("broken");
      }
    }
  }

  /** A connection in use. */
  static final class Link {

    private final Lease lease;

    private Link(Lease lease) {
      this.lease = lease;
    }

    /** The data source itself, not its group. */
    String dataSource() {
      return lease.dataSource();
    }

    /** Runs a statement without rows; tells the affected rows. */
    long update(String sql) {
      try (ShardCursor cursor = open(sql)) {
        return cursor.outcome().affectedRows();
      }
    }

    /** All rows as texts; NULL as the empty text. */
    List<String[]> rows(String sql) {
      var rows = new ArrayList<String[]>();
      try (ShardCursor cursor = open(sql)) {
        var reader = new TextRowReader(cursor.columns().size());
        for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
          reader.read(row);
          var cells = new String[reader.columns()];
          for (int i = 0; i < cells.length; i++) {
            cells[i] =
                new String(row, reader.offset(i), reader.length(i), StandardCharsets.ISO_8859_1);
          }
          rows.add(cells);
        }
      }
      return rows;
    }

    private ShardCursor open(String sql) {
      ShardQuery query =
          ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.ISO_8859_1));
      return lease.shard().query(query, List.of(), false);
    }
  }
}
