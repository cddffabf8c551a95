package io.anabranch.protocol.frame;

import org.jspecify.annotations.Nullable;

/**
 * Where bytes are counted that are kept of what a peer has sent in part. Short packets are not. On
 * the channel's event loop.
 */
public interface FrameRoom {

  /** As much as there is. */
  FrameRoom UNLIMITED =
      new FrameRoom() {
        @Override
        public @Nullable RuntimeException take(long bytes) {
          return null;
        }

        @Override
        public void give(long bytes) {}
      };

  /**
   * Takes room for more.
   *
   * @return why there is none; null: it is taken
   */
  @Nullable RuntimeException take(long bytes);

  /** Gives room back. */
  void give(long bytes);
}
