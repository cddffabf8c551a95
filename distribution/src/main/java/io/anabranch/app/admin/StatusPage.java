package io.anabranch.app.admin;

import com.google.gson.JsonObject;
import io.anabranch.frontend.admin.AdminPage;
import io.anabranch.frontend.admin.HealthReport;
import io.anabranch.frontend.configuration.ConfigurationControl;
import io.anabranch.frontend.configuration.ConfigurationControl.Version;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /status}: what runs here, since when, for how many clients, on which configuration.
 */
public final class StatusPage implements AdminPage {

  private static final int OK = 200;

  private final String version;
  private final Supplier<InetSocketAddress> address;
  private final Supplier<HealthReport> health;
  private final IntSupplier clients;
  private final ConfigurationControl configuration;

  /**
   * @param version of the proxy
   * @param address where clients connect
   * @param clients connected now
   */
  public StatusPage(
      String version,
      Supplier<InetSocketAddress> address,
      Supplier<HealthReport> health,
      IntSupplier clients,
      ConfigurationControl configuration) {
    this.version = version;
    this.address = address;
    this.health = health;
    this.clients = clients;
    this.configuration = configuration;
  }

  @Override
  public String path() {
    return "/status";
  }

  @Override
  public Answer answer(boolean changes, Map<String, String> parameters) {
    InetSocketAddress listens = address.get();
    var body = new JsonObject();
    body.addProperty("version", version);
    body.addProperty("pid", ProcessHandle.current().pid());
    body.addProperty(
        "since",
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()).toString());
    body.addProperty("address", listens.getAddress().getHostAddress());
    body.addProperty("port", listens.getPort());
    body.addProperty("clients", clients.getAsInt());
    health.get().toJson().entrySet().forEach(each -> body.add(each.getKey(), each.getValue()));
    List<Version> history = configuration.history();
    if (!history.isEmpty()) {
      body.add("configuration", configuration(history.getFirst()));
    }
    return new Answer(OK, body);
  }

  private static JsonObject configuration(Version latest) {
    var json = new JsonObject();
    json.addProperty("number", latest.number());
    json.addProperty("since", latest.since().toString());
    json.addProperty("author", latest.author());
    return json;
  }
}
