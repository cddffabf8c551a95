package io.anabranch.backend.pool;

import io.anabranch.backend.breaker.AnswerListener;
import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.backend.lease.EndableConnection;
import io.anabranch.backend.lease.HeldLease;
import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.backend.lease.Lessee;
import io.anabranch.backend.lease.SessionSettings;
import io.anabranch.backend.lease.StartValues;
import io.anabranch.backend.pool.wire.WireConnection;
import io.anabranch.backend.shard.ShardConnection;
import io.anabranch.rules.error.ErrorCatalogue;
import io.netty.channel.EventLoop;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One session's hold on a {@link Checkout}; a checkout has many in its time, one after another. */
final class LeaseHandle implements Lease, WireConnection.Holder {

  private final SourceLeases leases;
  private final Checkout checkout;
  private final EventLoop loop;
  private final LeaseDesk.Commits commits;
  private final Lessee lessee;
  private final StartValues wantedStart;
  private final AtomicBoolean ended = new AtomicBoolean();

  LeaseHandle(SourceLeases leases, Checkout checkout, LeaseDesk.Request request) {
    this.leases = leases;
    this.checkout = checkout;
    this.loop = request.loop();
    this.commits = request.commits();
    this.lessee = request.lessee();
    this.wantedStart = leases.startOf(lessee);
    checkout.lessee(this);
  }

  /** As it is now; null if it has ended, or belongs to nobody. On the wire's event loop. */
  @Override
  public @Nullable HeldLease look(WireConnection wire) {
    if (ended.get() || lessee.equals(Lessee.NOBODY)) {
      return null;
    }
    return new HeldLease(this, lessee, wire.threadId(), wire.exchange(), wire.isBusy());
  }

  /** The server told that something was committed; on the event loop. */
  @Override
  public void committed(String gtid) {
    commits.committed(leases.database(), leases.name(), gtid);
  }

  @Override
  public byte @Nullable [] origin() {
    return lessee.origin();
  }

  @Override
  public boolean raisesErrors() {
    return lessee.raisesErrors();
  }

  @Override
  public @Nullable AnswerListener answers() {
    return leases.answers();
  }

  @Override
  public String dataSource() {
    return leases.name();
  }

  @Override
  public String logicalDatabase() {
    return leases.database();
  }

  @Override
  public @Nullable BackendConnection connection() {
    return checkout.wire();
  }

  @Override
  public ShardConnection shard() {
    return EndableConnection.of(this, checkout.shard());
  }

  @Override
  public SessionSettings applied() {
    return checkout.physical().applied();
  }

  @Override
  public void applied(SessionSettings settings) {
    checkout.physical().applied(settings, wantedStart);
  }

  @Override
  public StartValues start() {
    return checkout.physical().start();
  }

  @Override
  public StartValues wantedStart() {
    return wantedStart;
  }

  @Override
  public void release() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    if (checkout.shard().hasPrologue()) {
      // it counts as sent: the connection is not what it is taken for
      leases.discard(checkout, "what was due on it was not sent");
      return;
    }
    if (loop.inEventLoop()) {
      leases.giveBack(checkout, loop);
    } else {
      loop.execute(() -> leases.giveBack(checkout, loop));
    }
  }

  @Override
  public boolean isWanted() {
    return leases.isWanted();
  }

  @Override
  public void mayYield() {
    leases.mayYield();
  }

  @Override
  public void interrupt() {
    if (!ended.get()) {
      try {
        leases.interrupt(checkout);
      } catch (SQLException e) {
        throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(dataSource(), String.valueOf(e.getMessage()));
      }
    }
  }

  @Override
  public void discard(String reason) {
    if (ended.compareAndSet(false, true)) {
      leases.discard(checkout, reason);
    }
  }
}
