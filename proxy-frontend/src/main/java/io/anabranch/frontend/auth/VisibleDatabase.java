package io.anabranch.frontend.auth;

import io.anabranch.rules.model.LogicalDatabase;
import io.anabranch.rules.model.protection.Masks;
import io.anabranch.rules.model.shadow.ShadowAlgorithm;
import io.anabranch.rules.model.shadow.ShadowRule;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * What of a logical database depends on the user. Immutable.
 *
 * @param shadowUsers in lower case: those whose statements go to shadows
 */
record VisibleDatabase(Masks masks, Set<String> shadowUsers) {

  /** Alike for all users. */
  static final VisibleDatabase PLAIN = new VisibleDatabase(Masks.NONE, Set.of());

  static VisibleDatabase of(LogicalDatabase database) {
    var users = new HashSet<String>();
    for (ShadowRule.Table table : database.shadow().tables().values()) {
      for (ShadowAlgorithm algorithm : table.algorithms()) {
        if (algorithm instanceof ShadowAlgorithm.User one) {
          users.addAll(one.users());
        }
      }
    }
    return new VisibleDatabase(database.masks(), Set.copyOf(users));
  }

  boolean shadows(String user) {
    return shadowUsers.contains(user.toLowerCase(Locale.ROOT));
  }
}
