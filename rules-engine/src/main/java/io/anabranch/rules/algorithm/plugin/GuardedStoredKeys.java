package io.anabranch.rules.algorithm.plugin;

import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.error.RefusedException;
import io.anabranch.rules.value.SqlValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One that needs a database. While it cannot be tended, other proxies may get its keys: it gives
 * none.
 */
final class GuardedStoredKeys extends GuardedKeys implements StoredKeys {

  private final PlugInGuard guard;
  private final StoredKeys plugIn;
  private final String dataSource;
  private volatile @Nullable RefusedException failure;

  GuardedStoredKeys(PlugInGuard guard, StoredKeys plugIn, String dataSource) {
    super(guard, plugIn);
    this.guard = guard;
    this.plugIn = plugIn;
    this.dataSource = dataSource;
  }

  @Override
  public String dataSource() {
    return dataSource;
  }

  @Override
  public void serve(KeyStore store) {
    tried(() -> plugIn.serve(store));
  }

  @Override
  public void tend() {
    tried(plugIn::tend);
  }

  /** What fails is told by the statements that want keys. */
  private void tried(Runnable work) {
    try {
      work.run();
      failure = null;
    } catch (Throwable thrown) {
      failure = guard.failed(thrown);
    }
  }

  @Override
  public SqlValue next() {
    requireTended();
    return super.next();
  }

  @Override
  public List<SqlValue> next(int count) {
    requireTended();
    return super.next(count);
  }

  private void requireTended() {
    RefusedException told = failure;
    if (told != null) {
      throw told;
    }
  }
}
