package io.anabranch.backend.row;

import io.anabranch.protocol.message.RowReader;
import org.jspecify.annotations.Nullable;

/** A row that stays while others pass. */
public final class HeldRow {

  private final RowReader reader;
  private final HeldRows all;
  private byte @Nullable [] kept;

  public HeldRow(RowReader reader, HeldRows all) {
    this.reader = reader;
    this.all = all;
  }

  /**
   * Keeps this one in the place of the one before.
   *
   * @throws io.anabranch.rules.error.RefusedException MEMORY_SHARE
   */
  public void keep(byte[] payload) {
    all.swap(kept, payload);
    kept = payload;
    reader.read(payload);
  }

  /** Its cells; valid once there is one. */
  public RowReader cells() {
    return reader;
  }
}
