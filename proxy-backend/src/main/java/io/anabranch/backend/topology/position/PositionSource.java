package io.anabranch.backend.topology.position;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks a data source how far its writes have come. Thread-safe; does not block. */
public interface PositionSource {

  /**
   * The position of all writes that the data source had acknowledged when this was called; null if
   * there were none. Completes exceptionally if it cannot be told.
   */
  CompletableFuture<@Nullable Position> position(String dataSource);

  /** Whether connections tell the GTIDs of writes. */
  boolean tracksWrites();

  /** Knows no positions. */
  PositionSource NONE =
      new PositionSource() {
        @Override
        public CompletableFuture<@Nullable Position> position(String dataSource) {
          return CompletableFuture.failedFuture(
              new IllegalStateException("nobody asks for positions"));
        }

        @Override
        public boolean tracksWrites() {
          return false;
        }
      };
}
