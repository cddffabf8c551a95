package io.anabranch.backend.relay;

import io.anabranch.backend.pool.BackendConnection;
import io.anabranch.rules.plan.NameMapping;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * The name rewriters that one connection has used lately. Plans keep their {@link NameMapping}, so
 * it is known by identity; the oldest makes room for a new one. Lives as long as the channel, used
 * on its event loop.
 */
final class Rewriters {

  private static final AttributeKey<Rewriters> KEY =
      AttributeKey.valueOf(Rewriters.class, "rewriters");
  private static final int SLOTS = 16;

  private record Known(NameMapping names, @Nullable NameRewriter rewriter) {}

  private final @Nullable Known[] slots = new Known[SLOTS];

  /** Found last: often the next one, too. */
  private @Nullable Known latest;

  private int oldest;

  /** Null when every name is right as it is. */
  @SuppressWarnings("ReferenceEquality") // identity is the point: comparing maps costs too much
  static @Nullable NameRewriter of(BackendConnection connection, NameMapping names) {
    var attribute = connection.channel().attr(KEY);
    Rewriters of = attribute.get();
    if (of == null) {
      of = new Rewriters();
      attribute.set(of);
    }
    Known latest = of.latest;
    return latest != null && latest.names == names
        ? latest.rewriter
        : of.find(names, connection.database()).rewriter;
  }

  @SuppressWarnings("ReferenceEquality") // see above
  private Known find(NameMapping names, String actualSchema) {
    for (Known each : slots) {
      if (each != null && each.names == names) {
        latest = each;
        return each;
      }
    }
    var known = new Known(names, NameRewriter.of(names, actualSchema));
    slots[oldest] = known;
    oldest = (oldest + 1) % SLOTS;
    latest = known;
    return known;
  }
}
