package io.anabranch.backend.topology;

import io.anabranch.rules.model.HealthCheck;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Data sources by themselves, those in no group and members that a hint may name: whether each can
 * be reached, whatever a group makes of it. Filled before it is shared, thread-safe from then on.
 */
final class SourceHealth {

  private final TopologyListener listener;
  private final Map<String, MemberHealth> sources = new LinkedHashMap<>();

  SourceHealth(TopologyListener listener) {
    this.listener = listener;
  }

  void add(String source, HealthCheck check) {
    sources.put(source, new MemberHealth(new Member(source, 0, 1, false), check));
  }

  Member member(String source) {
    MemberHealth health = sources.get(source);
    if (health == null) {
      throw new IllegalArgumentException("no data source '" + source + "'");
    }
    return health.member();
  }

  /** All, by name. */
  Map<String, Member> members() {
    var members = new LinkedHashMap<String, Member>();
    sources.forEach((name, health) -> members.put(name, health.member()));
    return members;
  }

  void answered(String source, MemberReport report) {
    heard(source, one -> one.answered(report));
  }

  void failed(String source, String reason) {
    heard(source, one -> one.failed(reason));
  }

  private void heard(String source, Consumer<MemberHealth> news) {
    MemberHealth health = sources.get(source);
    if (health == null) {
      throw new IllegalArgumentException("no data source '" + source + "'");
    }
    synchronized (health) {
      boolean before = health.member().condition().isReachable();
      news.accept(health);
      if (health.member().condition().isReachable() != before) {
        listener.reachChanged(health.member());
      }
    }
  }
}
