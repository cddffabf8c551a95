package io.anabranch.rules.model.cluster;

import io.anabranch.rules.model.DataSourceDefinition;

/** Where the proxies of a cluster keep their configuration. */
public sealed interface ClusterRepository {

  /** The longest namespace in characters. */
  int MAX_NAMESPACE = 64;

  /** Tells clusters of one repository apart. */
  String namespace();

  /** Between two looks whether there is something new. */
  long pollMilliseconds();

  /** Of connecting and of each answer. */
  long timeoutMilliseconds();

  /** A proxy that has not been heard of for so long counts as gone. */
  int timeToLiveSeconds();

  /**
   * The tables of a database.
   *
   * @param source where the database is; no pool is made of it
   */
  record Jdbc(
      String namespace,
      DataSourceDefinition source,
      long pollMilliseconds,
      long timeoutMilliseconds,
      int timeToLiveSeconds)
      implements ClusterRepository {}

  /**
   * ZooKeeper.
   *
   * @param servers {@code host:port} between commas
   * @param digest {@code user:password}; empty: none
   * @param maxRetries of a question whose connection breaks
   */
  record ZooKeeper(
      String namespace,
      String servers,
      String digest,
      int maxRetries,
      long pollMilliseconds,
      long timeoutMilliseconds,
      int timeToLiveSeconds)
      implements ClusterRepository {

    /** Without the digest. */
    @Override
    public String toString() {
      return "ZooKeeper[" + servers + ", " + namespace + "]";
    }
  }
}
