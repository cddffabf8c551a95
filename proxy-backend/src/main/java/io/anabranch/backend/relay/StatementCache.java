package io.anabranch.backend.relay;

import io.anabranch.backend.pool.SessionSettings;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The statements that are prepared on one connection, the least recently used one leaves first.
 * Lives as long as the channel, used on its event loop.
 */
final class StatementCache {

  private static final AttributeKey<StatementCache> KEY =
      AttributeKey.valueOf(StatementCache.class, "statements");

  /** A text is read under the settings of its time: character set, sql_mode. */
  private static final class Key {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final byte[] sql;
    private final SessionSettings reading;
    private final int hash;

    Key(byte[] sql, SessionSettings reading) {
      this.sql = sql;
      this.reading = reading;
      this.hash = hash(sql);
    }

    /** Eight bytes at a time: it is asked for with every execution. */
    private static int hash(byte[] sql) {
      long hash = sql.length;
      int i = 0;
      for (; i + Long.BYTES <= sql.length; i += Long.BYTES) {
        hash = (hash ^ (long) LONGS.get(sql, i)) * 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 32;
      }
      for (; i < sql.length; i++) {
        hash = hash * 31 + sql[i];
      }
      return Long.hashCode(hash);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && hash == key.hash
          && reading.equals(key.reading)
          && Arrays.equals(sql, key.sql);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private final Map<Key, PreparedStatement> statements = new LinkedHashMap<>(16, 0.75f, true);

  static StatementCache of(Channel channel) {
    var attribute = channel.attr(KEY);
    StatementCache cache = attribute.get();
    if (cache == null) {
      cache = new StatementCache();
      attribute.set(cache);
    }
    return cache;
  }

  /**
   * @param reading of the settings that it was prepared under, {@link SessionSettings#reading}
   */
  @Nullable PreparedStatement get(byte[] sql, SessionSettings reading) {
    return statements.get(new Key(sql, reading));
  }

  /**
   * Keeps a statement; one that is known of the same text goes.
   *
   * @param limit how many may stay open
   * @param closed takes the ids of statements that must be closed to make room
   */
  void put(
      byte[] sql,
      SessionSettings reading,
      PreparedStatement statement,
      int limit,
      IntConsumer closed) {
    PreparedStatement former = statements.put(new Key(sql, reading), statement);
    if (former != null) {
      closed.accept(former.id());
    }
    var oldest = statements.values().iterator();
    while (statements.size() > Math.max(1, limit)) {
      closed.accept(oldest.next().id());
      oldest.remove();
    }
  }

  /**
   * Forgets a statement.
   *
   * @param closed takes its id, if it is known
   */
  void remove(byte[] sql, SessionSettings reading, IntConsumer closed) {
    PreparedStatement former = statements.remove(new Key(sql, reading));
    if (former != null) {
      closed.accept(former.id());
    }
  }

  /**
   * @param closed takes the ids of all
   */
  void clear(IntConsumer closed) {
    statements.values().forEach(statement -> closed.accept(statement.id()));
    statements.clear();
  }

  int size() {
    return statements.size();
  }
}
