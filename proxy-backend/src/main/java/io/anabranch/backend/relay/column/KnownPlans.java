package io.anabranch.backend.relay.column;

import io.anabranch.backend.lease.BackendConnection;
import io.anabranch.rules.plan.NameMapping;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * What one connection knows of the plans that have used it lately. Plans keep their {@link
 * NameMapping}, so each is known by its identity, and found by its statement's fingerprint among
 * four places; a fifth that wants one takes another's. Lives as long as the channel, used on its
 * event loop.
 */
public final class KnownPlans {

  private static final AttributeKey<KnownPlans> KEY =
      AttributeKey.valueOf(KnownPlans.class, "plans");

  private static final int SETS = 32;
  private static final int WAYS = 4;

  /**
   * @param schema that the connection was in
   * @param rewriter null when every name is right as it is
   * @param heads how its results begin
   */
  public record Known(
      NameMapping names, String schema, @Nullable NameRewriter rewriter, ResultHeads heads) {

    public static Known of(NameMapping names, BackendConnection on) {
      String schema = on.database();
      NameRewriter rewriter = NameRewriter.of(names, schema);
      return new Known(names, schema, rewriter, new ResultHeads(on.capabilities()));
    }
  }

  private final @Nullable Known[] places = new @Nullable Known[SETS * WAYS];

  public static Known of(BackendConnection connection, long fingerprint, NameMapping names) {
    var attribute = connection.channel().attr(KEY);
    KnownPlans of = attribute.get();
    if (of == null) {
      of = new KnownPlans();
      attribute.set(of);
    }
    return of.known(connection, fingerprint, names);
  }

  @SuppressWarnings("ReferenceEquality") // identity is the point: comparing maps costs too much
  private Known known(BackendConnection connection, long fingerprint, NameMapping names) {
    int set = (int) (fingerprint & (SETS - 1)) * WAYS;
    int place = set + (int) (fingerprint >>> 62);
    for (int i = set; i < set + WAYS; i++) {
      Known known = places[i];
      if (known == null) {
        place = i;
        break;
      }
      if (known.names == names && known.schema.equals(connection.database())) {
        return known;
      }
    }
    Known known = Known.of(names, connection);
    places[place] = known;
    return known;
  }
}
