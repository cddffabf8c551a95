package io.anabranch.backend.topology;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a group decided last; replaced whole.
 *
 * @param primary null while none is known
 * @param writes whether the primary takes writes
 * @param reason why it does not, for people; empty while it does
 * @param readers fit replicas, those of the own zone first
 */
record GroupView(@Nullable Member primary, Writes writes, String reason, List<Member> readers) {

  /** What happens to writes. */
  enum Writes {
    OPEN,
    /** They wait for a primary. */
    HELD,
    /** They are refused until an administrator has cleared the matter up. */
    STOPPED
  }

  GroupView {
    readers = List.copyOf(readers);
  }
}
