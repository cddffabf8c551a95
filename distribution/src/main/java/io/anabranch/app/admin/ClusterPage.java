package io.anabranch.app.admin;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.anabranch.app.cluster.Cluster;
import io.anabranch.backend.registry.ClusterMember;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationRefusedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /cluster}: the proxies that share this one's configuration, as {@code SHOW COMPUTE
 * NODES} tells them, and whether this one hears of changes.
 */
public final class ClusterPage implements AdminPage {

  private static final int OK = 200;

  private final @Nullable Cluster cluster;
  private final ConfigurationControl configuration;

  /**
   * @param cluster null: this proxy is by itself
   */
  public ClusterPage(@Nullable Cluster cluster, ConfigurationControl configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  @Override
  public String path() {
    return "/cluster";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    var body = new JsonObject();
    if (cluster == null) {
      body.addProperty("mode", "Standalone");
      return new Answer(OK, body);
    }
    body.addProperty("mode", "Cluster");
    body.addProperty("namespace", cluster.namespace());
    body.addProperty("id", cluster.id());
    body.addProperty("reachable", cluster.isReachable());
    body.addProperty("up_to_date", cluster.isUpToDate());
    try {
      var members = new JsonArray();
      configuration.members().forEach(member -> members.add(json(member)));
      body.add("members", members);
    } catch (ConfigurationRefusedException unknown) {
      body.addProperty("problem", unknown.getMessage());
    }
    return new Answer(OK, body);
  }

  private static JsonObject json(ClusterMember member) {
    var json = new JsonObject();
    json.addProperty("id", member.id());
    json.addProperty("host", member.host());
    json.addProperty("port", member.port());
    json.addProperty("version", member.version());
    json.addProperty("revision", member.revision());
    json.addProperty("state", member.state().name());
    return json;
  }
}
