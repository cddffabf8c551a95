package io.anabranch.app.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Asks a running proxy's admin port. */
final class AdminClient {

  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** A reload tries databases out. */
  private static final Duration ANSWER = Duration.ofMinutes(2);

  private final URI place;
  private final String token;

  /**
   * @param token empty: none
   */
  AdminClient(URI place, String token) {
    this.place = place;
    this.token = token;
  }

  /**
   * @param status of HTTP
   */
  record Answer(int status, JsonObject body) {

    boolean isOk() {
      return status == 200;
    }

    /** The texts of a list in the body. */
    List<String> lines(String name) {
      var lines = new ArrayList<String>();
      if (body.has(name)) {
        for (JsonElement each : body.getAsJsonArray(name)) {
          lines.add(each.getAsString());
        }
      }
      return lines;
    }
  }

  Answer get(String path) {
    return ask("GET", path);
  }

  Answer post(String path) {
    return ask("POST", path);
  }

  /**
   * @throws CommandFailure if nobody answers, or the token is not taken
   */
  private Answer ask(String method, String path) {
    URI target = place.resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(ANSWER)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build()) {
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return read(target, answer);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          Anabranch.UNREACHABLE,
          "no proxy answers at " + place + ": " + (e.getMessage() == null ? e : e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(Anabranch.FAILED, "interrupted");
    }
  }

  private static Answer read(URI target, HttpResponse<String> answer) {
    JsonElement body;
    try {
      body = JsonParser.parseString(answer.body());
    } catch (JsonParseException e) {
      throw new CommandFailure(
          Anabranch.UNREACHABLE,
          target + " is no admin port of Anabranch: status " + answer.statusCode());
    }
    if (!body.isJsonObject()) {
      throw new CommandFailure(Anabranch.UNREACHABLE, target + " is no admin port of Anabranch");
    }
    JsonObject told = body.getAsJsonObject();
    if (answer.statusCode() == 401 || answer.statusCode() == 403) {
      throw new CommandFailure(
          Anabranch.FAILED,
          told.get("error").getAsString()
              + "\n(--token-file, or -c with the proxy's configuration)");
    }
    return new Answer(answer.statusCode(), told);
  }
}
