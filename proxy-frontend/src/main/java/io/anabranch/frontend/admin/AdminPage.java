package io.anabranch.frontend.admin;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Map;

/**
 * One path of the admin port beside those that every proxy has. Only who {@link AdminGuard} lets
 * through gets there.
 */
public interface AdminPage {

  /** With the leading slash. */
  String path();

  /**
   * Answers a request; on a virtual thread, may block.
   *
   * @param changes whether it is a POST, which may change something; otherwise a GET
   * @param parameters of the query, the first of each name
   * @throws RuntimeException becomes status 500 with its message
   */
  Answer answer(boolean changes, Map<String, String> parameters);

  /**
   * @param status HTTP status code
   */
  record Answer(int status, JsonElement body) {

    /** The form of all errors: {@code {"error": what}}. */
    public static Answer error(int status, String what) {
      var body = new JsonObject();
      body.addProperty("error", what);
      return new Answer(status, body);
    }
  }
}
