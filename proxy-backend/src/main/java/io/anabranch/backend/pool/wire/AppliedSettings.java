package io.anabranch.backend.pool.wire;

import io.anabranch.backend.lease.SessionSettings;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a connection has. Long values are kept as long as a session has them, too: then
 * nothing must be told twice, and no connection keeps what nobody pays for. Immutable.
 */
final class AppliedSettings {

  static final AppliedSettings INITIAL = new AppliedSettings(SessionSettings.INITIAL);

  private final SessionSettings light;
  private final @Nullable WeakReference<SessionSettings> whole;

  AppliedSettings(SessionSettings applied) {
    light = applied.lightened();
    whole = applied.weight() == 0 ? null : new WeakReference<>(applied);
  }

  /** What is known of them: values that were forgotten differ from all others. */
  SessionSettings known() {
    WeakReference<SessionSettings> reference = whole;
    SessionSettings all = reference == null ? null : reference.get();
    return all == null ? light : all;
  }
}
