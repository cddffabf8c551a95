package io.anabranch.backend.xa;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardReply;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.plan.ShardQuery;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs the log's and the recovery's own statements, each with a deadline. Thread-safe. */
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
   * Blocks.
   *
   * @throws io.anabranch.rules.error.RefusedException if there is no connection to be had
   * @throws ShardException as the statements do
   */
  <T> T run(XaSource source, Work<T> work) {
    Link link = take(source, loop);
    boolean isGood = false;
    try {
      T result = link.run(work);
      isGood = true;
      return result;
    } catch (ShardException.Database refused) {
      isGood = true;
      throw refused;
    } finally {
      if (isGood) {
        link.giveBack();
      } else {
        link.discard();
      }
    }
  }

  /** Takes a connection. Blocks. */
  Link take(XaSource source) {
    return take(source, loop);
  }

  /**
   * Takes a connection, which is on that event loop where it is relayed. Blocks.
   *
   * @throws RuntimeException if there is none to be had
   */
  Link take(XaSource source, EventLoop on) {
    String member = source.member().get();
    Lease lease = source.desk().leaseBlocking(new LeaseDesk.Request(member, false, on));
    return new Link(lease, on, timeoutMilliseconds);
  }

  /** A connection in use, by one thread at a time. */
  static final class Link {

    private final Lease lease;
    private final EventLoop clock;
    private final long timeoutMilliseconds;

    private Link(Lease lease, EventLoop clock, long timeoutMilliseconds) {
      this.lease = lease;
      this.clock = clock;
      this.timeoutMilliseconds = timeoutMilliseconds;
    }

    /** The data source itself, not its group. */
    String dataSource() {
      return lease.dataSource();
    }

    /** No statement runs. */
    void giveBack() {
      lease.release();
    }

    /** Closes the connection. */
    void discard() {
      lease.discard("broken");
    }

    /** Works; when the time is up the connection is closed. Blocks. */
    <T> T run(Work<T> work) {
      Future<?> deadline = deadline();
      try {
        return work.with(this);
      } finally {
        deadline.cancel(false);
      }
    }

    /** Runs a statement without rows, likewise, and does not wait for it. */
    CompletableFuture<ShardReply> send(String sql) {
      Future<?> deadline = deadline();
      return lease.shard().send(query(sql)).whenComplete((_, _) -> deadline.cancel(false));
    }

    private Future<?> deadline() {
      return clock.schedule(
          () -> lease.discard("no answer within " + timeoutMilliseconds + " ms"),
          timeoutMilliseconds,
          TimeUnit.MILLISECONDS);
    }

    /** Runs a statement without rows; tells the affected rows. Blocks. */
    long update(String sql) {
      try (ShardCursor cursor = open(sql)) {
        return cursor.outcome().affectedRows();
      }
    }

    /** All rows as texts; NULL as the empty text. Blocks. */
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
      return lease.shard().query(query(sql));
    }

    private ShardQuery query(String sql) {
      return ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.ISO_8859_1));
    }
  }
}
