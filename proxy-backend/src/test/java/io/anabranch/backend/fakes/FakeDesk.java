package io.anabranch.backend.fakes;

import io.anabranch.backend.lease.Lease;
import io.anabranch.backend.lease.LeaseDesk;
import io.anabranch.rules.error.ErrorCatalogue;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Leases of {@link FakeDatabase}s, as many as are asked for; unknown names are down. */
public final class FakeDesk implements LeaseDesk {

  private final Map<String, FakeDatabase> databases = new HashMap<>();

  public FakeDesk(FakeDatabase... databases) {
    for (FakeDatabase database : databases) {
      this.databases.put(database.name(), database);
    }
  }

  @Override
  public void lease(Request request, Callback callback) {
    callback.leased(leaseBlocking(request), null);
  }

  @Override
  public @Nullable Lease leaseNow(Request request) {
    FakeDatabase database = databases.get(request.dataSource());
    return database == null || !database.isAtHand() ? null : database.lease();
  }

  @Override
  public Lease leaseBlocking(Request request, Consumer<Place> queued) {
    FakeDatabase database = databases.get(request.dataSource());
    if (database == null) {
      throw ErrorCatalogue.DATA_SOURCE_DOWN.refuse(request.dataSource(), "down");
    }
    return database.lease();
  }
}
