package io.anabranch.app.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.anabranch.backend.topology.GroupStatus;
import io.anabranch.backend.topology.Member;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.session.Backend;
import java.time.Instant;
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
public final class ReplicasPage implements AdminPage {

  private static final int OK = 200;

  private final Supplier<Collection<Backend>> backends;

  /**
   * @param backends those in force
   */
  public ReplicasPage(Supplier<Collection<Backend>> backends) {
    this.backends = backends;
  }

  @Override
  public String path() {
    return "/replicas";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    var groups = new JsonArray();
    for (Backend backend : backends.get()) {
      String database = backend.database().name();
      backend.topology().status().forEach(group -> groups.add(group(database, group)));
    }
    var body = new JsonObject();
    body.add("groups", groups);
    return new Answer(OK, body);
  }

  private static JsonObject group(String database, GroupStatus group) {
    var json = new JsonObject();
    json.addProperty("database", database);
    json.addProperty("group", group.definition().name());
    json.addProperty("primary", group.primary());
    json.addProperty("writes", group.writes());
    json.addProperty("reason", group.reason());
    json.addProperty("held", group.held());
    json.addProperty("waits", group.waits());
    json.addProperty("fallbacks", group.fallBacks());
    json.add("members", list(group.members(), member -> member(group, member)));
    json.add("events", list(group.events(), ReplicasPage::event));
    return json;
  }

  private static JsonObject member(GroupStatus group, Member member) {
    Member.Condition condition = member.condition();
    var json = new JsonObject();
    json.addProperty("member", member.name());
    json.addProperty("state", condition.state().name());
    json.addProperty("takesReads", group.readers().contains(member.name()));
    json.addProperty("lagMilliseconds", condition.lagMilliseconds());
    json.addProperty("reads", member.reads());
    json.addProperty("running", member.running());
    json.addProperty("latencyMicroseconds", member.latencyNanos() / 1000);
    json.addProperty("since", Instant.ofEpochMilli(condition.sinceMillis()).toString());
    json.addProperty("reason", group.reason(member));
    return json;
  }

  private static JsonObject event(GroupStatus.Event event) {
    var json = new JsonObject();
    json.addProperty("time", Instant.ofEpochMilli(event.atMillis()).toString());
    json.addProperty("event", event.text());
    return json;
  }

  private static <T> JsonArray list(List<T> of, Function<T, JsonElement> each) {
    var array = new JsonArray();
    of.forEach(one -> array.add(each.apply(one)));
    return array;
  }
}
