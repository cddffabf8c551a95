package io.anabranch.backend.lease;

/**
 * A look at one data source's connections, both flavours together.
 *
 * @param active leased by sessions
 * @param idle open and free, cached ones included
 * @param waiting requests for a lease that wait
 * @param maximum {@code maxPoolSize}
 * @param limit that may be leased now
 * @param shed requests that were sent away so that others get a connection, ever
 */
public record PoolGauges(int active, int idle, int waiting, int maximum, int limit, long shed) {

  public static final PoolGauges NONE = new PoolGauges(0, 0, 0, 0, 0, 0);
}
