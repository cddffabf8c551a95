package io.anabranch.rules.model.cluster;

import io.anabranch.rules.model.DataSourceDefinition;

/**
 * The database in which the proxies of a cluster keep their configuration.
 *
 * @param namespace tells clusters of one database apart
 * @param source where the database is; no pool is made of it
 * @param pollMilliseconds between two looks whether there is something new
 * @param timeoutMilliseconds of connecting and of each answer
 * @param timeToLiveSeconds a proxy that has not been heard of for so long counts as gone
 */
public record ClusterRepository(
    String namespace,
    DataSourceDefinition source,
    long pollMilliseconds,
    long timeoutMilliseconds,
    int timeToLiveSeconds) {

  /** The longest namespace in characters. */
  public static final int MAX_NAMESPACE = 64;
}
