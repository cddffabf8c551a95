package io.anabranch.app.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code status}: how the running proxy is. */
@Command(
    name = "status",
    versionProvider = VersionCommand.Provider.class,
    mixinStandardHelpOptions = true,
    description = {
      "How the running proxy is: exit code 0 if it is up and reaches all its data sources, else 1."
    })
final class StatusCommand implements Callable<Integer> {

  private static final String SOURCES = "dataSources";

  private final Surroundings surroundings;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final RunningProxyOptions proxy = new RunningProxyOptions();

  @Option(names = "--json", description = "as the admin port says it")
  private boolean isJson;

  StatusCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() {
    AdminClient.Answer answer = proxy.client(surroundings).get("/status");
    if (!answer.isOk()) {
      throw new CommandFailure(Anabranch.FAILED, answer.body().toString());
    }
    PrintWriter out = Output.of(spec);
    JsonObject body = answer.body();
    if (isJson) {
      out.println(body);
    } else {
      print(out, body);
    }
    return body.get("state").getAsString().equals("up") ? 0 : Anabranch.FAILED;
  }

  private static void print(PrintWriter out, JsonObject body) {
    out.printf(
        "%s: version %s, pid %s, since %s%n",
        text(body, "state"), text(body, "version"), text(body, "pid"), text(body, "since"));
    out.printf(
        "listens on %s port %s, %s client(s)%n",
        text(body, "address"), text(body, "port"), text(body, "clients"));
    if (body.has("configuration")) {
      JsonObject configuration = body.getAsJsonObject("configuration");
      out.printf(
          "configuration %s, since %s, by %s%n",
          text(configuration, "number"),
          text(configuration, "since"),
          text(configuration, "author"));
    }
    JsonObject sources = body.getAsJsonObject(SOURCES);
    int width = sources.keySet().stream().mapToInt(String::length).max().orElse(0);
    for (Map.Entry<String, JsonElement> each : sources.entrySet()) {
      out.printf(
          "  %s%s  %s%n",
          each.getKey(), " ".repeat(width - each.getKey().length()), each.getValue().getAsString());
    }
  }

  private static String text(JsonObject of, String name) {
    JsonElement value = of.get(name);
    return value == null ? "?" : value.getAsString();
  }
}
