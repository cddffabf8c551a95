package io.anabranch.backend.pool;

import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import io.netty.channel.EventLoop;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One session's hold on a {@link Checkout}; a checkout has many in its time, one after another. */
final class LeaseHandle implements Lease {

  private final SourcePool pool;
  private final Checkout checkout;
  private final EventLoop loop;
  private final AtomicBoolean ended = new AtomicBoolean();

  LeaseHandle(SourcePool pool, Checkout checkout, EventLoop loop) {
    this.pool = pool;
    this.checkout = checkout;
    this.loop = loop;
  }

  @Override
  public String dataSource() {
    return pool.name();
  }

  @Override
  public @Nullable BackendConnection connection() {
    return checkout.wire();
  }

  @Override
  public ShardConnection shard() {
    return checkout.shard();
  }

  @Override
  public SessionSettings applied() {
    return checkout.physical().applied();
  }

  @Override
  public void applied(SessionSettings settings) {
    checkout.physical().applied(settings);
  }

  @Override
  public void release() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    if (loop.inEventLoop()) {
      pool.giveBack(checkout, loop);
    } else {
      loop.execute(() -> pool.giveBack(checkout, loop));
    }
  }

  @Override
  public void interrupt() {
    if (!ended.get()) {
      try {
        pool.interrupt(checkout);
      } catch (SQLException e) {
        throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(dataSource(), String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void discard(String reason) {
    if (ended.compareAndSet(false, true)) {
      pool.discard(checkout, reason);
    }
  }
}
