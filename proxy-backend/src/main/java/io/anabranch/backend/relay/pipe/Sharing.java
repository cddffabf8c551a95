package io.anabranch.backend.relay.pipe;

import io.anabranch.rules.model.ProxyProperties;

/**
 * How far connections are shared.
 *
 * @param depth statements that may be under way on one connection; 1 and below: no sharing
 * @param width so many statements of an event loop are under way on a data source, each on a
 *     connection for itself, before any shares one
 */
public record Sharing(int depth, int width) {

  private static final Sharing OFF = new Sharing(0, 0);
  private static final Sharing BY_LOAD = new Sharing(8, 4);

  /** More connections would be more wake-ups of the database for the same answers. */
  private static final Sharing QUICK = new Sharing(32, 4);

  /**
   * @param property {@link ProxyProperties#pipelineDepth}: of a number, a connection is filled
   *     before another one is used
   * @param isQuick see {@link ReadRecord#isQuick}
   */
  public static Sharing of(int property, boolean isQuick) {
    return switch (property) {
      case ProxyProperties.PIPELINE_AUTO -> isQuick ? QUICK : BY_LOAD;
      case 0 -> OFF;
      default -> new Sharing(property, 0);
    };
  }
}
