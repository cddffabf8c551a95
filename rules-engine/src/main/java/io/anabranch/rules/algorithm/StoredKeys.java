package io.anabranch.rules.algorithm;

/**
 * A generator that needs a database: what its keys are made of is shared between proxies by a
 * table. Keys are at hand most times; where they are not, whoever asks on an event loop is refused
 * with KEYS_AWAITED and asks again on a thread that {@linkplain KeyWaits may wait}.
 */
public interface StoredKeys extends KeyGenerator {

  /** The data source, or group, that has the table; of the same logical database. */
  String dataSource();

  /** From now on by this store; asked again when servers have changed. Does not block. */
  void serve(KeyStore store);

  /** To be called every few seconds by one thread, which may wait. Throws nothing. */
  default void tend() {}
}
