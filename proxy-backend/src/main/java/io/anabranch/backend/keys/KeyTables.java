package io.anabranch.backend.keys;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.shard.ShardCursor;
import io.anabranch.backend.shard.ShardException;
import io.anabranch.backend.shard.ShardOutcome;
import io.anabranch.protocol.message.TextRowReader;
import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.plan.ShardQuery;
import io.anabranch.rules.sql.TableNames;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tables in one data source, or in the primary of a group. Each change is one statement, which
 * is committed before its answer counts. Names in statements are letters, digits, {@code .}, {@code
 * _} and {@code -} only.
 */
final class KeyTables implements KeyStore {

  private static final int NO_SUCH_TABLE = 1146;
  private static final long TIMEOUT_MILLISECONDS = 5_000;
  private static final int MOST_TRIES = 64;

  private static final String COUNTERS =
      "CREATE TABLE IF NOT EXISTS anabranch_keys ("
          + "name VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,"
          + " next_key BIGINT NOT NULL) ENGINE=InnoDB"
          + " COMMENT='counters of which Anabranch proxies take blocks of keys'";

  private static final String WORKERS =
      "CREATE TABLE IF NOT EXISTS anabranch_workers ("
          + "id INT NOT NULL PRIMARY KEY,"
          + " holder VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,"
          + " expires BIGINT NOT NULL, horizon BIGINT NOT NULL,"
          + " renewals BIGINT NOT NULL DEFAULT 0) ENGINE=InnoDB"
          + " COMMENT='worker ids of keys that Anabranch proxies have leased'";

  /** The database's clock, in milliseconds. */
  private static final String NOW = "FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)";

  private final LeaseDesk desk;
  private final Supplier<String> member;
  private final EventLoop loop;

  /**
   * @param member the data source that takes writes now; may block
   */
  KeyTables(LeaseDesk desk, Supplier<String> member, EventLoop loop) {
    this.desk = desk;
    this.member = member;
    this.loop = loop;
  }

  @Override
  public long block(String name, long start, int count) {
    return on(
        COUNTERS,
        lease -> {
          String take =
              "UPDATE anabranch_keys SET next_key = LAST_INSERT_ID(next_key) + "
                  + count
                  + " WHERE name = "
                  + TableNames.literal(name)
                  + " AND next_key BETWEEN 1 AND "
                  + (Long.MAX_VALUE - count);
          ShardOutcome taken = update(lease, take);
          if (taken.affectedRows() == 0) {
            update(
                lease,
                "INSERT IGNORE INTO anabranch_keys (name, next_key) VALUES (%s, %d)"
                    .formatted(TableNames.literal(name), start));
            taken = update(lease, take);
          }
          if (taken.affectedRows() != 1) {
            throw new IllegalStateException(
                "the counter " + name + " in anabranch_keys is used up, or is not positive");
          }
          return taken.lastInsertId();
        });
  }

  @Override
  public @Nullable Term claim(String holder, int count, long milliseconds, long now) {
    return on(
        WORKERS,
        lease -> {
          for (int tries = 0; tries < MOST_TRIES; tries++) {
            List<long[]> free =
                rows(
                    lease,
                    "SELECT id, horizon, renewals FROM anabranch_workers WHERE expires < %s AND horizon < %d AND id < %d ORDER BY id LIMIT 1"
                        .formatted(NOW, now, count));
            Term term =
                free.isEmpty()
                    ? added(lease, holder, count, milliseconds)
                    : taken(lease, holder, milliseconds, free.getFirst());
            if (term != null || (free.isEmpty() && isFull(lease, count))) {
              return term;
            }
          }
          return null;
        });
  }

  private static @Nullable Term taken(Lease lease, String holder, long milliseconds, long[] free) {
    ShardOutcome outcome =
        update(
            lease,
            "UPDATE anabranch_workers SET holder = %s, expires = %s + %d, renewals = renewals + 1 WHERE id = %d AND renewals = %d AND expires < %s"
                .formatted(TableNames.literal(holder), NOW, milliseconds, free[0], free[2], NOW));
    return outcome.affectedRows() == 1 ? new Term((int) free[0], free[1]) : null;
  }

  /** The number after the last one. */
  private static @Nullable Term added(Lease lease, String holder, int count, long milliseconds) {
    long next = next(lease);
    if (next >= count) {
      return null;
    }
    ShardOutcome outcome =
        update(
            lease,
            "INSERT IGNORE INTO anabranch_workers (id, holder, expires, horizon) VALUES (%d, %s, %s + %d, -1)"
                .formatted(next, TableNames.literal(holder), NOW, milliseconds));
    return outcome.affectedRows() == 1 ? new Term((int) next, -1) : null;
  }

  private static long next(Lease lease) {
    return rows(lease, "SELECT COALESCE(MAX(id) + 1, 0) FROM anabranch_workers").getFirst()[0];
  }

  private static boolean isFull(Lease lease, int count) {
    return next(lease) >= count;
  }

  @Override
  public boolean renew(int worker, String holder, long milliseconds, long until) {
    return on(
        WORKERS,
        lease ->
            update(
                        lease,
                        "UPDATE anabranch_workers SET horizon = GREATEST(horizon, %d), expires = %s + %d, renewals = renewals + 1 WHERE id = %d AND holder = %s"
                            .formatted(
                                until, NOW, milliseconds, worker, TableNames.literal(holder)))
                    .affectedRows()
                == 1);
  }

  /** Works with a connection; where the table is not there, it is made and the work done again. */
  private <T extends @Nullable Object> T on(String table, Function<Lease, T> work) {
    Lease lease = desk.leaseBlocking(new LeaseDesk.Request(member.get(), false, loop));
    Future<?> deadline =
        loop.schedule(
            () -> lease.discard("no answer within " + TIMEOUT_MILLISECONDS + " ms"),
            TIMEOUT_MILLISECONDS,
            TimeUnit.MILLISECONDS);
    boolean isSound = false;
    try {
      T result = made(lease, table, work);
      isSound = true;
      return result;
    } catch (ShardException.Database refused) {
      isSound = true;
      throw refused;
    } finally {
      deadline.cancel(false);
      if (isSound) {
        lease.release();
      } else {
        lease.discard("broken");
      }
    }
  }

  private static <T extends @Nullable Object> T made(
      Lease lease, String table, Function<Lease, T> work) {
    try {
      return work.apply(lease);
    } catch (ShardException.Database refused) {
      if (refused.errno() != NO_SUCH_TABLE) {
        throw refused;
      }
      update(lease, table);
      return work.apply(lease);
    }
  }

  /** Committed, whatever the connection's autocommit is. */
  private static ShardOutcome update(Lease lease, String sql) {
    ShardOutcome outcome = run(lease, sql);
    run(lease, "COMMIT");
    return outcome;
  }

  private static ShardOutcome run(Lease lease, String sql) {
    try (ShardCursor cursor = lease.shard().query(query(lease, sql))) {
      return cursor.outcome();
    }
  }

  private static List<long[]> rows(Lease lease, String sql) {
    var rows = new ArrayList<long[]>();
    try (ShardCursor cursor = lease.shard().query(query(lease, sql))) {
      var reader = new TextRowReader(cursor.columns().size());
      for (byte[] row = cursor.next(); row != null; row = cursor.next()) {
        reader.read(row);
        var cells = new long[reader.columns()];
        for (int i = 0; i < cells.length; i++) {
          cells[i] =
              Long.parseLong(
                  new String(row, reader.offset(i), reader.length(i), StandardCharsets.ISO_8859_1));
        }
        rows.add(cells);
      }
    }
    return rows;
  }

  private static ShardQuery query(Lease lease, String sql) {
    return ShardQuery.text(lease.dataSource(), sql.getBytes(StandardCharsets.US_ASCII));
  }
}
