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
  private RuleMask rewriting = RuleMask.NONE;
  private RuleCount[] own = {};

  public SessionRules(RuleCounts counts) {
    this.counts = counts;
  }

  /**
   * Those that concern the user there, but for those that rewrite.
   *
   * @param wanted the rules that the session works with
   * @param clientHost an address; of anything else nobody knows the network
   */
  public RuleMask of(List<QueryRule> wanted, String userName, String clientHost) {
    know(wanted, userName, clientHost);
    return mask;
  }

  /** Those that concern the user there and rewrite. */
  public RuleMask rewriting(List<QueryRule> wanted, String userName, String clientHost) {
    know(wanted, userName, clientHost);
    return rewriting;
  }

  @SuppressWarnings("ReferenceEquality") // rules are replaced, never changed
  private void know(List<QueryRule> wanted, String userName, String clientHost) {
    if (rules != wanted || !user.equals(userName) || !host.equals(clientHost)) {
      InetAddress address = address(clientHost);
      mask = mask(wanted, false, userName, address);
      rewriting = mask(wanted, true, userName, address);
      own = wanted.stream().map(rule -> counts.of(rule.name())).toArray(RuleCount[]::new);
      rules = wanted;
      user = userName;
      host = clientHost;
    }
  }

  private static RuleMask mask(
      List<QueryRule> wanted, boolean rewrite, String user, @Nullable InetAddress address) {
    return RuleMask.of(
        wanted.size(),
        position -> {
          QueryRule rule = wanted.get(position);
          return (rule.actions().rewrite() != null) == rewrite && concerns(rule, user, address);
        });
  }

  /** The count of the rule at that position, behind {@link #of} or {@link #rewriting}. */
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
