package io.anabranch.backend.shard;

import io.anabranch.rules.plan.ResultColumn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The streaming answer of one shard query. Read by one thread. */
public interface ShardCursor extends AutoCloseable {

  /** Empty when the answer is an OK packet. */
  List<ResultColumn> columns();

  /**
   * The next row's payload as the protocol has it (text row, or binary row with its leading zero),
   * or null at the end.
   *
   * @throws ShardException if the database reports an error or the connection breaks midway
   */
  byte @Nullable [] next();

  /** Counts of an OK answer; of the end of rows after {@link #next} gave null. */
  ShardOutcome outcome();

  /**
   * How many warnings the database gave of the text when it was prepared, which it does not repeat
   * when it is executed; 0 in the text protocol, which counts them in {@link #outcome}. After the
   * end.
   */
  default int textWarnings() {
    return 0;
  }

  /** Reads away what is left; safe to call twice. */
  @Override
  void close();
}
