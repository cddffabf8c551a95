package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.rules.plan.NameMapping;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * What one connection knows of the plans that have used it lately. Plans keep their {@link
 * NameMapping}, so each is known by its identity, and found by its statement's fingerprint; two
 * that want one place take turns. Lives as long as the channel, used on its event loop.
 */
final class KnownPlans {

  private static final AttributeKey<KnownPlans> KEY =
      AttributeKey.valueOf(KnownPlans.class, "plans");

  private static final int SLOTS = 64;

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

  @SuppressWarnings("ReferenceEquality") // identity is the point: comparing maps costs too much
  static Known of(BackendConnection connection, long fingerprint, NameMapping names) {
    var attribute = connection.channel().attr(KEY);
    KnownPlans of = attribute.get();
    if (of == null) {
      of = new KnownPlans();
      attribute.set(of);
    }
    int slot = (int) fingerprint & (SLOTS - 1);
    Known known = of.slots[slot];
    if (known == null || known.names != names) {
      known = Known.of(names, connection.database());
      of.slots[slot] = known;
    }
    return known;
  }
}
