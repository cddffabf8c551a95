package io.anabranch.backend.topology;

import java.util.concurrent.atomic.LongAdder;

/** What happened to statements of one group, since the start. */
final class GroupCounts {

  /** Reads that waited for a replica to catch up. */
  final LongAdder waits = new LongAdder();

  /** Reads that went to the primary because no replica showed in time what they must see. */
  final LongAdder fallBacks = new LongAdder();

  /** Statements that waited for a member that takes them. */
  final LongAdder held = new LongAdder();
}
