package io.anabranch.rules.algorithm.key;

import io.anabranch.rules.algorithm.KeyGenerator;
import io.anabranch.rules.algorithm.KeyStore;
import io.anabranch.rules.algorithm.KeyWaits;
import io.anabranch.rules.algorithm.StoredKeys;
import io.anabranch.rules.error.ErrorCatalogue;
import io.anabranch.rules.value.SqlValue;
import java.util.List;

/** Keys of a generator whose worker's number is leased. */
record LeasedKeys(KeyGenerator keys, WorkerLease lease) implements StoredKeys {

  @Override
  public String dataSource() {
    return lease.registry();
  }

  @Override
  public void serve(KeyStore store) {
    lease.serve(store);
  }

  @Override
  public void tend() {
    lease.tend();
  }

  @Override
  public SqlValue next() {
    require();
    return keys.next();
  }

  @Override
  public List<SqlValue> next(int count) {
    require();
    return keys.next(count);
  }

  private void require() {
    if (lease.isHeld()) {
      return;
    }
    if (!KeyWaits.areAllowed()) {
      throw ErrorCatalogue.KEYS_AWAITED.refuse("SNOWFLAKE");
    }
    lease.ensure();
  }
}
