package io.anabranch.backend.lease;

/**
 * A look at one data source's connections, both flavours together.
 *
 * @param active leased by sessions
 * @param idle open and free, cached ones included
 * @param waiting requests for a lease that wait
 * @param maximum {@code maxPoolSize}
 */
public record PoolGauges(int active, int idle, int waiting, int maximum) {

  public static final PoolGauges NONE = new PoolGauges(0, 0, 0, 0);
}
