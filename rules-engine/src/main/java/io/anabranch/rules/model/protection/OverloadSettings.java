package io.anabranch.rules.model.protection;

/**
 * What a data source does where more is wanted of it than it can do.
 *
 * @param queue requests for connections that may wait; 0: any number
 * @param adapts whether fewer connections are given out while it is slower than it usually is
 * @param leastConnections that are given out however slow it is
 * @param tolerance slower is who takes so many times as long as usual; above 1
 */
public record OverloadSettings(int queue, boolean adapts, int leastConnections, double tolerance) {

  /** What holds where nothing is said. */
  public static final OverloadSettings NONE = new OverloadSettings(0, false, 1, 2);
}
