package io.anabranch.app;

import io.anabranch.backend.topology.GroupStatus;
import io.anabranch.backend.topology.Member;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.session.Backend;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * {@code GET /replicas}: the groups of all logical databases, their members, and what happened to
 * them last, as {@code SHOW STATUS FROM READWRITE_SPLITTING RULES} and {@code SHOW
 * READWRITE_SPLITTING EVENTS} tell it.
 */
final class ReplicasPage implements AdminPage {

  private static final int OK = 200;

  private final Supplier<Collection<Backend>> backends;

  ReplicasPage(Supplier<Collection<Backend>> backends) {
    this.backends = backends;
  }

  @Override
  public String path() {
    return "/replicas";
  }

  @Override
  public Text answer(boolean changes, Map<String, String> parameters) {
    var groups = new ArrayList<String>();
    for (Backend backend : backends.get()) {
      String database = backend.database().name();
      backend.topology().status().forEach(group -> groups.add(group(database, group)));
    }
    return new Text(OK, "{\"groups\":[" + String.join(",", groups) + "]}\n");
  }

  private static String group(String database, GroupStatus group) {
    return "{\"database\":%s,\"group\":%s,\"primary\":%s,\"writes\":%s,\"reason\":%s,\"held\":%d,\"waits\":%d,\"fallbacks\":%d,\"members\":%s,\"events\":%s}"
        .formatted(
            quoted(database),
            quoted(group.definition().name()),
            quoted(group.primary()),
            quoted(group.writes()),
            quoted(group.reason()),
            group.held(),
            group.waits(),
            group.fallBacks(),
            list(group.members(), member -> member(group, member)),
            list(group.events(), ReplicasPage::event));
  }

  private static String member(GroupStatus group, Member member) {
    Member.Condition condition = member.condition();
    return "{\"member\":%s,\"state\":%s,\"takesReads\":%b,\"lagMilliseconds\":%d,\"reads\":%d,\"running\":%d,\"latencyMicroseconds\":%d,\"since\":%s,\"reason\":%s}"
        .formatted(
            quoted(member.name()),
            quoted(condition.state().name()),
            group.readers().contains(member.name()),
            condition.lagMilliseconds(),
            member.reads(),
            member.running(),
            member.latencyNanos() / 1000,
            quoted(Instant.ofEpochMilli(condition.sinceMillis()).toString()),
            quoted(group.reason(member)));
  }

  private static String event(GroupStatus.Event event) {
    return "{\"time\":%s,\"event\":%s}"
        .formatted(quoted(Instant.ofEpochMilli(event.atMillis()).toString()), quoted(event.text()));
  }

  private static <T> String list(List<T> of, Function<T, String> each) {
    return "[" + String.join(",", of.stream().map(each).toList()) + "]";
  }

  /** Reasons hold whatever a database said. */
  static String quoted(String text) {
    var json = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ') {
        json.append("\\u%04x".formatted((int) c));
      } else {
        json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    return json.append('"').toString();
  }
}
