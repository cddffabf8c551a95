package io.anabranch.frontend.rule;

import io.anabranch.rules.model.Network;
import io.anabranch.rules.model.protection.QueryRule;
import io.anabranch.rules.model.protection.RuleMask;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that concern one session, whatever its statements are. Remembers them as long as rules,
 * user and client are the same; used on the session's event loop only.
 */
public final class SessionRules {

  private final RuleCounts counts;
  private List<QueryRule> rules = List.of();
  private String user = "";
  private String host = "";
  private RuleMask mask = RuleMask.NONE;
  private RuleCount[] own = {};

  public SessionRules(RuleCounts counts) {
    this.counts = counts;
  }

  /**
   * Those that concern the user there.
   *
   * @param wanted the rules that the session works with
   * @param clientHost an address; of anything else nobody knows the network
   */
  @SuppressWarnings("ReferenceEquality") // rules are replaced, never changed
  public RuleMask of(List<QueryRule> wanted, String userName, String clientHost) {
    if (rules != wanted || !user.equals(userName) || !host.equals(clientHost)) {
      InetAddress address = address(clientHost);
      mask =
          RuleMask.of(wanted.size(), position -> concerns(wanted.get(position), userName, address));
      own = wanted.stream().map(rule -> counts.of(rule.name())).toArray(RuleCount[]::new);
      rules = wanted;
      user = userName;
      host = clientHost;
    }
    return mask;
  }

  /** The count of the rule at that position, behind {@link #of}. */
  public RuleCount count(int position) {
    return own[position];
  }

  private static boolean concerns(QueryRule rule, String user, @Nullable InetAddress address) {
    List<String> networks = rule.matching().networks();
    return rule.matching().concerns(user)
        && (networks.isEmpty()
            || (address != null && networks.stream().anyMatch(each -> isIn(each, address))));
  }

  private static boolean isIn(String network, InetAddress address) {
    Network known = Network.parse(network);
    return known != null && known.contains(address);
  }

  private static @Nullable InetAddress address(String host) {
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException ofSocketFiles) {
      return null;
    }
  }
}
