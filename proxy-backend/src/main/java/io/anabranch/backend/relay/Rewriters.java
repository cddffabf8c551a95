package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.rules.plan.NameMapping;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * The name rewriters that one connection has used lately. Plans keep their {@link NameMapping}, so
 * it is known by identity; two that fall into one slot replace each other. Lives as long as the
 * channel, used on its event loop.
 */
final class Rewriters {

  private static final AttributeKey<Rewriters> KEY =
      AttributeKey.valueOf(Rewriters.class, "rewriters");
  private static final int SLOTS = 16;

  private record Known(NameMapping names, @Nullable NameRewriter rewriter) {}

  private final @Nullable Known[] slots = new Known[SLOTS];

  /** Null when every name is right as it is. */
  @SuppressWarnings("ReferenceEquality") // identity is the point: comparing maps costs too much
  static @Nullable NameRewriter of(BackendConnection connection, NameMapping names) {
    var attribute = connection.channel().attr(KEY);
    Rewriters of = attribute.get();
    if (of == null) {
      of = new Rewriters();
      attribute.set(of);
    }
    int slot = System.identityHashCode(names) & (SLOTS - 1);
    Known known = of.slots[slot];
    if (known == null || known.names != names) {
      known = new Known(names, NameRewriter.of(names, connection.database()));
      of.slots[slot] = known;
    }
    return known.rewriter;
  }
}
