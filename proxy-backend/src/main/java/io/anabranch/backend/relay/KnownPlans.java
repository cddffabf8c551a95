package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.rules.plan.NameMapping;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * What one connection knows of the plans that have used it lately. Plans keep their {@link
 * NameMapping}, so each is known by its identity; the oldest makes room for a new one. Lives as
 * long as the channel, used on its event loop.
 */
final class KnownPlans {

  private static final AttributeKey<KnownPlans> KEY =
      AttributeKey.valueOf(KnownPlans.class, "plans");
  private static final int SLOTS = 16;

  /**
   * @param rewriter null when every name is right as it is
   * @param heads how its results begin
   */
  record Known(NameMapping names, @Nullable NameRewriter rewriter, ResultHeads heads) {

    static Known of(NameMapping names, String actualSchema) {
      return new Known(names, NameRewriter.of(names, actualSchema), new ResultHeads());
    }
  }

  private final @Nullable Known[] slots = new @Nullable Known[SLOTS];

  /** Found last: often the next one, too. */
  private @Nullable Known latest;

  private int oldest;

  @SuppressWarnings("ReferenceEquality") // identity is the point: comparing maps costs too much
  static Known of(BackendConnection connection, NameMapping names) {
    var attribute = connection.channel().attr(KEY);
    KnownPlans of = attribute.get();
    if (of == null) {
      of = new KnownPlans();
      attribute.set(of);
    }
    Known latest = of.latest;
    return latest != null && latest.names == names ? latest : of.find(names, connection.database());
  }

  @SuppressWarnings("ReferenceEquality") // see above
  private Known find(NameMapping names, String actualSchema) {
    for (Known each : slots) {
      if (each != null && each.names == names) {
        latest = each;
        return each;
      }
    }
    Known known = Known.of(names, actualSchema);
    slots[oldest] = known;
    oldest = (oldest + 1) % SLOTS;
    latest = known;
    return known;
  }
}
