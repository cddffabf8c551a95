package io.anabranch.rules.algorithm;

import java.util.function.Supplier;

/** Which threads may wait for keys: virtual ones, and those that say so. Event loops may not. */
public final class KeyWaits {

  private static final ScopedValue<Boolean> ALLOWED = ScopedValue.newInstance();

  private KeyWaits() {}

  /** Whether the calling thread may. */
  public static boolean areAllowed() {
    return ALLOWED.isBound() || Thread.currentThread().isVirtual();
  }

  /** Works; the calling thread, which is no event loop, may wait meanwhile. */
  public static <T> T allowing(Supplier<T> work) {
    return ScopedValue.where(ALLOWED, true).call(work::get);
  }
}
